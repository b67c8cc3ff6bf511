<?php
// php walk.php RUNTIME CODE SHAPE LOG...
// Prints the canonical text of logs, each after a line `log PATH`, from the PHP that the schema compiles to.
// RUNTIME is the folder of Kaitai's runtime, CODE that of the compiled files, SHAPE the lines of
// tests/languages/shape.py. Signed integers; see docs/format/conformance.md.

ini_set('memory_limit', '-1');

function upper_camel(string $name): string
{
    return implode('', array_map('ucfirst', explode('_', $name)));
}

function read_shapes(string $path): array
{
    $types = [];
    $owner = null;
    foreach (file($path, FILE_IGNORE_NEW_LINES) as $line) {
        [$kind, $name, $value_kind] = explode(' ', "$line ");
        if ($kind === 'type') {
            $owner = $types === [] ? 'MysqlBinlog' : 'MysqlBinlog\\' . upper_camel($name);
            $types[$owner] = [$name, []];
            continue;
        }
        $getter = str_starts_with($name, '_') ? $name : lcfirst(upper_camel($name));
        if (!method_exists($owner, $getter)) {
            throw new Exception("PHP has no $name in $owner");
        }
        $labels = null;
        if (str_starts_with($value_kind, 'enum:')) {
            $class = new ReflectionClass('MysqlBinlog\\' . upper_camel(substr($value_kind, 5)));
            $labels = array_flip(array_filter($class->getConstants(), 'is_int'));
        }
        $types[$owner][1][] = [$name, $getter, $labels, $value_kind];
    }
    return $types;
}

function number_text(int|float $value): string
{
    if (is_int($value)) {
        return (string) $value;
    }
    if (is_nan($value)) {
        return '~7ff8000000000000';
    }
    if (abs($value) <= 9007199254740991 && $value == (int) $value && !($value == 0 && fdiv(1, $value) < 0)) {
        return (string) (int) $value;
    }
    return '~' . bin2hex(pack('E', $value));
}

class Walker
{
    private array $lines = [];

    public function __construct(private array $types)
    {
    }

    public function text(string $log): string
    {
        [$name, $fields] = $this->types['MysqlBinlog'];
        try {
            $root = new MysqlBinlog(new Kaitai\Struct\Stream(file_get_contents($log)));
        } catch (Throwable) {
            return "$name !\n";
        }
        $this->lines = ["$name $name"];
        foreach ($fields as $field) {
            if ($field[0] !== 'events') {
                $this->addField(' ', $root, $field);
            } elseif ($root->events() !== null) {
                $this->lines[] = ' events [' . count($root->events()) . ']';
                foreach ($root->events() as $index => $event) {
                    $this->addEvent($index, $event);
                }
            }
        }
        return implode("\n", $this->lines) . "\n";
    }

    private function addEvent(int $index, $event): void
    {
        $start = count($this->lines);
        try {
            $this->add("  $index", '  ', $event, '');
        } catch (Throwable) {
            array_splice($this->lines, $start);
            $this->lines[] = "  $index !";
        }
    }

    private function addField(string $indent, $owner, array $field): void
    {
        [$name, $getter, $labels, $kind] = $field;
        $value = $owner->$getter();
        if ($labels === null || isset($labels[$value])) {
            $this->add($indent . $name, $indent, $value, $kind);
        }
    }

    private function add(string $label, string $indent, $value, string $kind): void
    {
        if ($value === null) {
            return;
        }
        $inner = "$indent ";
        if (is_object($value)) {
            [$name, $fields] = $this->types[$value::class];
            $this->lines[] = "$label $name";
            foreach ($fields as $field) {
                $this->addField($inner, $value, $field);
            }
        } elseif (is_array($value)) {
            $this->lines[] = "$label [" . count($value) . ']';
            foreach ($value as $index => $item) {
                $this->add("$inner$index", $inner, $item, substr($kind, 6));
            }
        } else {
            $this->lines[] = "$label " . $this->scalar($value, $kind);
        }
    }

    // Texts and bytes are of one type in PHP; a switch gives objects or, for a type that it does not know, bytes.
    private function scalar($value, string $kind): string
    {
        if (is_bool($value)) {
            return $value ? 'true' : 'false';
        }
        if (!is_string($value)) {
            return number_text($value);
        }
        if ($kind !== 'str') {
            return '<' . bin2hex($value) . '>';
        }
        return '"' . preg_replace_callback('/[\x00-\x1f\x7f\\\\]/', fn ($found) => sprintf('\\%02x', ord($found[0])), $value) . '"';
    }
}

[, $runtime, $code, $shape] = $argv;
spl_autoload_register(function (string $class) use ($runtime) {
    $file = "$runtime/lib/" . str_replace('\\', '/', $class) . '.php';
    if (is_file($file)) {
        require $file;
    }
});
require "$runtime/lib/Kaitai/Struct/Struct.php";
require "$code/MysqlBinlog.php";
$walker = new Walker(read_shapes($shape));
foreach (array_slice($argv, 4) as $log) {
    echo "log $log\n", $walker->text($log);
}
