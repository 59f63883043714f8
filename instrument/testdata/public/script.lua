local function fib(n) if n<2 then return n end return fib(n-1)+fib(n-2) end
print(fib(16))
local t={} for i=1,500 do t["k"..i]=i*i; t[i]=tostring(i) end
local s=0 for k,v in pairs(t) do if type(v)=="number" then s=s+v end end print(s,#t)
local mt={__index=function(t,k) return k.."!" end,__add=function(a,b) return a.v+b.v end,__tostring=function(x) return "obj"..x.v end}
local a=setmetatable({v=1},mt) local b=setmetatable({v=41},mt) print(a+b,a.foo,tostring(b))
local co=coroutine.wrap(function(n) for i=1,n do coroutine.yield(i*i) end return "done" end)
for i=1,30 do io.write(co(100)," ") end print()
print(string.format("%5.2f|%-5s|%x",3.14159,"ab",255),("hello world"):gsub("o","0"),string.rep("xy",3))
table.sort(t,function(x,y) return x>y end) print(t[1],t[500])
print(pcall(function() error({code=7}) end), select("#",1,2,3), os.time{year=2020,month=1,day=1,hour=12})
local q={} for i=1,2000 do q[#q+1]=(i*7919)%1009 end table.sort(q) print(q[1],q[1000],q[2000])
for w in ("the quick brown fox"):gmatch("%a+") do io.write(w:upper(),";") end print()
goto done
print("no")
::done:: print(math.floor(3.7),math.huge,-math.huge, 7%3, 2^10)
