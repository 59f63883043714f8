local function queens(n)
  local count, cols, up, down = 0, {}, {}, {}
  local function place(row)
    if row > n then count = count + 1 return end
    for c = 1, n do
      if not cols[c] and not up[row + c] and not down[row - c + n] then
        cols[c], up[row + c], down[row - c + n] = true, true, true
        place(row + 1)
        cols[c], up[row + c], down[row - c + n] = nil, nil, nil
      end
    end
  end
  place(1)
  return count
end
for n = 1, 6 do print(n, queens(n)) end

local gen = coroutine.wrap(function() for i = 1, 30 do coroutine.yield(i * i) end end)
local sum = 0
for v in gen do sum = sum + v end
print("squares", sum)

local account = {}
account.__index = account
function account.new(b) return setmetatable({balance = b}, account) end
function account:add(v) self.balance = self.balance + v; return self end
local a = account.new(10)
for i = 1, 50 do a:add(i) end
print(a.balance, select("#", 1, 2, 3), ("x"):rep(5, ","))

local list = {}
for w in ("one two three four five six"):gmatch("%a+") do list[#list + 1] = w end
table.sort(list, function(x, y) return #x < #y or #x == #y and x < y end)
print(table.concat(list, " "))
local ok, err = pcall(function() error({code = 7}) end)
print(ok, err.code)
for i, s in ipairs({"a=1", "b=22"}) do print(s:find("(%a)=(%d+)")) end
