function sieve(n) {
  var a = [];
  for (var i = 0; i <= n; i++) a.push(true);
  for (var i = 2; i * i <= n; i++) if (a[i]) for (var j = i * i; j <= n; j += i) a[j] = false;
  var c = 0;
  for (var i = 2; i <= n; i++) if (a[i]) c++;
  return c;
}
class Box {
  constructor(x) { this.x = x }
  get y() { return this.x * 2 }
  *values() { for (let i = 0; i < this.x; i++) yield i * this.y }
}
const map = new Map(), set = new Set(), boxes = new Map();
for (let i = 0; i < 300; i++) { map.set("k" + i, { i, v: i * i }); set.add(i % 17) }
print(sieve(3000), map.size, set.size);
for (let i = 0; i < 50; i++) boxes.set(new Box(i), i);
let lost = 0;
for (const [box, i] of [...boxes]) if (boxes.get(box) !== i || box.x !== i) lost++;
print("lost", lost);
let t = 0;
for (const v of new Box(40).values()) t += v;
print(t, JSON.stringify([...map.entries()].filter(e => e[1].i % 50 == 0)));
print("a,b;c".replace(/[,;]/g, x => "<" + x + ">"), [5, 3, 9, 1].sort((a, b) => a - b).join());
const own = { [Symbol.iterator]: function* () { yield* [1, 2, 3] } };
for (let i = 0; i < 200; i++) {
  const k = Symbol("s" + i);
  own[k] = i;
  if (own[k] !== i) print("lost", i);
}
print([...own], Object.getOwnPropertySymbols(own).length);
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
print(fib(15));
try { null.x } catch (e) { print(e instanceof TypeError, e.message) }
const order = [];
Promise.resolve(1).then(x => order.push(x)).then(() => print(order.join()));
(async function () { await null; order.push(2) })();
let big = 1n;
for (let i = 1n; i < 60n; i++) big *= i;
print(big, new Date(0).toISOString(), parseInt("ff", 16));
