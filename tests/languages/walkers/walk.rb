# ruby -I RUNTIME/lib -I FOLDER_OF_CODE walk.rb SHAPE LOG...
# Prints the canonical text of logs, each after a line `log PATH`, from the Ruby that the schema compiles to.
# SHAPE has the lines of tests/languages/shape.py. Signed integers; see docs/format/conformance.md.
require 'mysql_binlog'

Field = Struct.new(:name, :getter, :labels, :kind)
Type = Struct.new(:name, :fields)

def upper_camel(name)
  name.split('_').map { |word| word[0].upcase + word[1..] }.join
end

# Returns the types by the generated class.
def read_shapes(path, root)
  types = {}
  owner = nil
  File.readlines(path, chomp: true).each do |line|
    kind, name, value_kind = line.split(' ')
    if kind == 'type'
      owner = types.empty? ? root : root.const_get(upper_camel(name))
      types[owner] = Type.new(name, [])
    else
      owner.instance_method(name)
      labels = value_kind.start_with?('enum:') ? root.const_get("I__#{value_kind[5..].upcase}") : nil
      types[owner].fields << Field.new(name, name.to_sym, labels, value_kind)
    end
  end
  types
end

class Walker
  def initialize(root, types)
    @root = root
    @types = types
  end

  def lines(log)
    type = @types[@root]
    begin
      root = @root.new(Kaitai::Struct::Stream.new(File.binread(log)))
    rescue StandardError
      return ["#{type.name} !"]
    end
    lines = ["#{type.name} #{type.name}"]
    type.fields.each do |field|
      if field.name != 'events'
        add_field(lines, ' ', root, field)
      elsif !root.events.nil?
        lines << " events [#{root.events.size}]"
        root.events.each_with_index { |event, index| lines.concat(event_lines(index, event)) }
      end
    end
    lines
  end

  def event_lines(index, event)
    lines = []
    add(lines, "  #{index}", '  ', event)
    lines
  rescue StandardError
    ["  #{index} !"]
  end

  def add_field(lines, indent, owner, field)
    value = owner.public_send(field.getter)
    value = field.labels[value] unless field.labels.nil?
    # A text that is made of bytes gives them its encoding.
    value = value.b if field.kind == 'bytes' && !value.nil?
    add(lines, indent + field.name, indent, value)
  end

  def add(lines, label, indent, value)
    return if value.nil?

    inner = "#{indent} "
    if (type = @types[value.class])
      lines << "#{label} #{type.name}"
      type.fields.each { |field| add_field(lines, inner, value, field) }
    elsif value.is_a?(Array)
      lines << "#{label} [#{value.size}]"
      value.each_with_index { |item, index| add(lines, "#{inner}#{index}", inner, item) }
    else
      lines << "#{label} #{scalar_text(value)}"
    end
  end

  def scalar_text(value)
    case value
    when String
      return "<#{value.unpack1('H*')}>" if value.encoding == Encoding::ASCII_8BIT

      text = value.encode(Encoding::UTF_8)
      "\"#{text.gsub(/[\x00-\x1f\x7f\\]/) { |character| format('\\%02x', character.ord) }}\""
    when Float then float_text(value)
    when Integer then (value >= 2**63 ? value - 2**64 : value).to_s
    when true, false then value.to_s
    else raise TypeError, "a value of no type of the schema: #{value.inspect}"
    end
  end

  def float_text(value)
    return '~7ff8000000000000' if value.nan?
    return value.to_i.to_s if value.finite? && value == value.to_i && value.abs < 2**53 && !(value.zero? && 1 / value < 0)

    "~#{[value].pack('G').unpack1('H*')}"
  end
end

shape, *logs = ARGV
walker = Walker.new(MysqlBinlog, read_shapes(shape, MysqlBinlog))
$stdout.binmode
logs.each do |log|
  $stdout.write("log #{log}\n")
  $stdout.write(walker.lines(log).join("\n"), "\n")
end
