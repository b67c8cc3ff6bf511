-- lua walk.lua RUNTIME CODE SHAPE LOG...
-- Prints the canonical text of logs, each after a line `log PATH`, from the Lua that the schema compiles to.
-- RUNTIME is the folder of Kaitai's runtime, CODE that of the compiled files, SHAPE the lines of
-- tests/languages/shape.py. Signed integers; see docs/format/conformance.md.

local runtime, code, shape = arg[1], arg[2], arg[3]
package.path = runtime .. "/?.lua;" .. code .. "/?.lua;" .. package.path
-- Sets the globals MysqlBinlog and KaitaiStream.
require("mysql_binlog")
local string_stream = require("string_stream")

local function upper_camel(name)
  local text = name:gsub("_*([^_]+)", function(word)
    return word:sub(1, 1):upper() .. word:sub(2)
  end)
  return text
end

local types = {}

local function read_shapes(path)
  local owner
  local is_first = true
  for line in io.lines(path) do
    local kind, name, value_kind = line:match("^(%S+) (%S+) ?(%S*)$")
    if kind == "type" then
      owner = is_first and MysqlBinlog or MysqlBinlog[upper_camel(name)]
      is_first = false
      types[owner] = { name = name, fields = {} }
    else
      local fields = types[owner].fields
      fields[#fields + 1] = { name = name, kind = value_kind, is_enum = value_kind:sub(1, 5) == "enum:" }
    end
  end
end

local function hex(bytes)
  return (bytes:gsub(".", function(octet)
    return string.format("%02x", octet:byte())
  end))
end

local function float_text(value)
  if value ~= value then
    return "~7ff8000000000000"
  end
  local is_negative_zero = value == 0 and 1 / value < 0
  if math.abs(value) < 2 ^ 53 and value == math.floor(value) and not is_negative_zero then
    return string.format("%d", math.tointeger(value))
  end
  return "~" .. hex(string.pack(">d", value))
end

-- Texts and bytes are of one type in Lua.
local function scalar_text(value, kind)
  if type(value) == "boolean" then
    return tostring(value)
  elseif type(value) == "number" then
    return math.type(value) == "integer" and string.format("%d", value) or float_text(value)
  elseif kind ~= "str" then
    return "<" .. hex(value) .. ">"
  end
  return '"' .. value:gsub("[%z\1-\31\127\\]", function(character)
    return string.format("\\%02x", character:byte())
  end) .. '"'
end

local lines

local function emit(text)
  lines[#lines + 1] = text
end

local function add(label, indent, value, kind)
  if value == nil then
    return
  end
  local inner = indent .. " "
  local class = type(value) == "table" and getmetatable(value)
  local found = class and types[class]
  if found then
    emit(label .. " " .. found.name)
    for _, field in ipairs(found.fields) do
      local item = value[field.name]
      if field.is_enum and item ~= nil then
        item = type(item) == "table" and item.value or nil
      end
      add(inner .. field.name, inner, item, field.kind)
    end
  elseif type(value) == "table" then
    emit(label .. " [" .. #value .. "]")
    for index, item in ipairs(value) do
      add(inner .. (index - 1), inner, item, kind:sub(7))
    end
  else
    emit(label .. " " .. scalar_text(value, kind))
  end
end

local function log_text(path)
  lines = {}
  local found = types[MysqlBinlog]
  local file = assert(io.open(path, "rb"))
  local bytes = file:read("a")
  file:close()
  local is_read, root = pcall(function()
    return MysqlBinlog(KaitaiStream(string_stream(bytes)))
  end)
  if not is_read then
    return found.name .. " !\n"
  end
  emit(found.name .. " " .. found.name)
  for _, field in ipairs(found.fields) do
    if field.name ~= "events" then
      add(" " .. field.name, " ", root[field.name], field.kind)
    elseif root.events ~= nil then
      emit(" events [" .. #root.events .. "]")
      for index, event in ipairs(root.events) do
        local start = #lines
        local is_whole = pcall(add, "  " .. (index - 1), "  ", event, "")
        if not is_whole then
          for line = #lines, start + 1, -1 do
            lines[line] = nil
          end
          emit("  " .. (index - 1) .. " !")
        end
      end
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

read_shapes(shape)
for index = 4, #arg do
  io.write("log ", arg[index], "\n", log_text(arg[index]))
end
