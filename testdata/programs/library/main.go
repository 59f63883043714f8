//go:debug randseednop=0

// Library changes the state that packages of the standard library keep for the program: flags, loggers, random numbers.
package main

import (
	"context"
	"flag"
	"fmt"
	"go/types"
	"io"
	"log"
	"log/slog"
	"math/rand"
	"os"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"time"

	"github.com/ckpgen/ckpgen/runtime/ckp"
)

func pt[T any](x T) T {
	ckp.Checkpoint()
	return x
}

var (
	number = flag.Int("n", 3, "a number")
	text   string
	list   words
)

type words []string

func (w *words) String() string     { return strings.Join(*w, "+") }
func (w *words) Set(s string) error { *w = append(*w, s); return nil }

func init() {
	flag.StringVar(&text, "text", "nothing", "a text")
	flag.Var(&list, "w", "words")
}

func flags() {
	seen := 0
	duration := flag.Duration("d", time.Second, "a time")
	flag.BoolFunc("v", "counts", func(string) error { seen++; return nil })
	flag.Usage = func() { fmt.Fprintln(flag.CommandLine.Output(), "usage, seen", seen) }
	saved := flag.CommandLine
	os.Args = []string{"library", "-n", "5", "-w", "a", "-w", "b", "-d=1m", "-v", "rest", "-n", "more"}
	ckp.Checkpoint()
	flag.Parse()
	ckp.Checkpoint()
	fmt.Println(*number, text, list, *duration, seen, saved == flag.CommandLine)
	fmt.Println(flag.Args(), pt(flag.NArg()), flag.NFlag(), flag.Parsed(), flag.Arg(1))
	var visited []*flag.Flag
	flag.Visit(func(f *flag.Flag) { visited = append(visited, f) })
	for _, f := range visited {
		fmt.Println(f.Name, f.Value, pt(f.DefValue))
	}
	fmt.Println(flag.Set("text", "changed"), flag.Set("v", "true"), flag.Set("none", ""))
	ckp.Checkpoint()
	fmt.Println(text, seen, flag.Lookup("text").Value, flag.NFlag())
	flag.CommandLine.SetOutput(os.Stdout)
	ckp.Checkpoint()
	flag.Usage()
	flag.PrintDefaults()
}

func logging() {
	std := log.Default()
	log.SetFlags(log.Lmsgprefix)
	log.SetPrefix("library: ")
	log.SetOutput(os.Stdout)
	ckp.Checkpoint()
	log.Print("to standard output")
	std.Println("by the pointer", std == log.Default(), log.Prefix(), log.Flags())
	var b strings.Builder
	log.SetOutput(io.MultiWriter(&b, os.Stdout))
	ckp.Checkpoint()
	log.Print("to two")
	f, err := os.Create("library.log")
	if err != nil {
		panic(err)
	}
	log.SetOutput(f)
	log.SetFlags(log.Lshortfile)
	ckp.Checkpoint()
	log.Print("to a file")
	ckp.Checkpoint()
	log.SetOutput(os.Stdout)
	text, err := os.ReadFile("library.log")
	fmt.Printf("%q %q %v\n", b.String(), text, err)
}

func structured() {
	start := slog.Default()
	log.SetFlags(0)
	slog.Info("by package log", "x", 1)
	slog.SetLogLoggerLevel(slog.LevelDebug)
	ckp.Checkpoint()
	slog.Debug("now it shows", "same", start == slog.Default())
	level := new(slog.LevelVar)
	h := slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})
	l := slog.New(h).With("program", "library").WithGroup("g")
	slog.SetDefault(l)
	ckp.Checkpoint()
	slog.Info("text", "n", pt(1), "default", l == slog.Default())
	slog.Debug("below the level")
	level.Set(slog.LevelDebug)
	ckp.Checkpoint()
	slog.Debug("above the level")
	log.Print("through package log")
	slog.SetDefault(slog.New(slog.NewJSONHandler(io.Discard, nil)))
	ckp.Checkpoint()
	slog.Info("nowhere")
	slog.SetDefault(start)
	recorded()
}

// recorded has values that package log/slog keeps as pointers beside a number, and nothing else leads to.
func recorded() {
	r := slog.NewRecord(time.Time{}, slog.LevelInfo, strings.Repeat("m", pt(3)), 0)
	for i := range 8 {
		r.Add(strings.Repeat("key", i), strings.Repeat("value", i))
	}
	r.Add("nested", slog.GroupValue(slog.String("a", strings.Repeat("a", pt(300))), slog.Int("b", pt(2)), slog.Group("c", "d", strings.Repeat("d", pt(4)))))
	held := map[string]any{"string": slog.StringValue(strings.Repeat("x", pt(1000))), "pointer": slog.AnyValue(&r), "empty": slog.StringValue("")}
	ckp.Checkpoint()
	r.Attrs(func(a slog.Attr) bool {
		ckp.Checkpoint()
		fmt.Println(a, a.Value.Kind())
		return true
	})
	fmt.Println(held["string"], held["empty"], held["pointer"].(slog.Value).Any() == &r)
}

func random() {
	rand.Seed(42)
	for range 3 {
		fmt.Println(rand.Intn(1000), pt(rand.Float64()), rand.Perm(4))
	}
	b := make([]byte, 3)
	rand.Read(b)
	ckp.Checkpoint()
	rand.Read(b)
	fmt.Println(b)
	rand.Seed(pt(int64(7)))
	ckp.Checkpoint()
	fmt.Println(rand.Uint64())
}

// labelled has goroutines below package runtime/pprof, as libraries do that label what they do in the background.
func labelled() {
	in, out := make(chan int), make(chan string)
	for i := range 2 {
		go pprof.Do(context.Background(), pprof.Labels("worker", fmt.Sprint(i)), func(ctx context.Context) {
			name, _ := pprof.Label(ctx, "worker")
			for n := range in {
				out <- fmt.Sprint("worker ", name != "", " ", pt(n*n))
			}
			out <- "done"
		})
	}
	for i := range 3 {
		in <- i
		fmt.Println(<-out)
		ckp.Checkpoint()
	}
	close(in)
	fmt.Println(<-out, <-out)
	pprof.Do(context.Background(), pprof.Labels("a", "b"), func(ctx context.Context) {
		ckp.Checkpoint()
		pprof.ForLabels(ctx, func(key, value string) bool {
			fmt.Println(key, value)
			return true
		})
		trace.WithRegion(ctx, "region", func() { fmt.Println("region", pt(1)) })
	})
}

func typeIterators() {
	pair := types.NewTuple(types.NewParam(0, nil, "x", types.Typ[types.Int]), types.NewParam(0, nil, "s", types.Typ[types.String]))
	for v := range pair.Variables() {
		fmt.Println(pt(v.Name()), v.Type())
	}
}

func main() {
	labelled()
	typeIterators()
	flags()
	logging()
	structured()
	random()
}
