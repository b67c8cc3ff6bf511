// walk LOG...
// Prints the canonical text of logs, each after a line `log PATH`, from the Rust that the core of the schema compiles
// to. What asks each type for its fields is put behind this by tests/languages/rust_fields.py. Signed integers; see
// docs/format/conformance.md.
mod mysql_binlog_core;

use kaitai::*;
use mysql_binlog_core::*;
use std::fmt::Write;
use std::panic::{catch_unwind, AssertUnwindSafe};

// What a line has behind its name, and the lines below it.
trait Text {
    fn is_absent(&self) -> bool {
        false
    }
    fn add(&self, out: &mut String, indent: &str) -> KResult<()>;
}

trait Fields {
    const NAME: &'static str;
    fn add_fields(&self, out: &mut String, indent: &str) -> KResult<()>;
}

fn line<T: Text + ?Sized>(out: &mut String, indent: &str, name: &str, value: &T) -> KResult<()> {
    if value.is_absent() {
        return Ok(());
    }
    write!(out, "{indent}{name} ").unwrap();
    value.add(out, indent)
}

macro_rules! numbers {
    ($($kind:ty),*) => {$(
        impl Text for $kind {
            fn add(&self, out: &mut String, _: &str) -> KResult<()> {
                writeln!(out, "{}", *self as i64).unwrap();
                Ok(())
            }
        }
    )*};
}
numbers!(i8, i16, i32, i64, u8, u16, u32, u64);

impl Text for bool {
    fn add(&self, out: &mut String, _: &str) -> KResult<()> {
        writeln!(out, "{self}").unwrap();
        Ok(())
    }
}

impl Text for f64 {
    fn add(&self, out: &mut String, _: &str) -> KResult<()> {
        let is_integral = self.fract() == 0.0 && self.abs() <= 9007199254740991.0;
        if self.is_nan() {
            out.push_str("~7ff8000000000000\n");
        } else if is_integral && !(*self == 0.0 && self.is_sign_negative()) {
            writeln!(out, "{}", *self as i64).unwrap();
        } else {
            writeln!(out, "~{:016x}", self.to_bits()).unwrap();
        }
        Ok(())
    }
}

impl Text for String {
    fn add(&self, out: &mut String, _: &str) -> KResult<()> {
        out.push('"');
        for letter in self.chars() {
            if letter < ' ' || letter == '\x7f' || letter == '\\' {
                write!(out, "\\{:02x}", letter as u32).unwrap();
            } else {
                out.push(letter);
            }
        }
        out.push_str("\"\n");
        Ok(())
    }
}

impl Text for Vec<u8> {
    fn add(&self, out: &mut String, _: &str) -> KResult<()> {
        out.push('<');
        for byte in self {
            write!(out, "{byte:02x}").unwrap();
        }
        out.push_str(">\n");
        Ok(())
    }
}

fn list<T: Text>(out: &mut String, indent: &str, name: &str, items: &[T]) -> KResult<()> {
    writeln!(out, "{indent}{name} [{}]", items.len()).unwrap();
    let inner = format!("{indent} ");
    for (index, item) in items.iter().enumerate() {
        line(out, &inner, &index.to_string(), item)?;
    }
    Ok(())
}

impl<T: Fields> Text for OptRc<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
    fn add(&self, out: &mut String, indent: &str) -> KResult<()> {
        writeln!(out, "{}", T::NAME).unwrap();
        self.get().add_fields(out, &format!("{indent} "))
    }
}

impl<T: Text> Text for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
    fn add(&self, out: &mut String, indent: &str) -> KResult<()> {
        self.as_ref().map_or(Ok(()), |value| value.add(out, indent))
    }
}

// Whatever a damaged log leads to: an error or a panic.
fn attempt(action: impl FnOnce() -> KResult<()>) -> bool {
    matches!(catch_unwind(AssertUnwindSafe(action)), Ok(Ok(())))
}

fn events(out: &mut String, items: &[OptRc<MysqlBinlogCore_Event>]) {
    writeln!(out, " events [{}]", items.len()).unwrap();
    for (index, item) in items.iter().enumerate() {
        let start = out.len();
        if !attempt(|| line(out, "  ", &index.to_string(), item)) {
            out.truncate(start);
            writeln!(out, "  {index} !").unwrap();
        }
    }
}

fn text(bytes: Vec<u8>) -> String {
    let name = MysqlBinlogCore::NAME;
    let mut out = format!("{name} ");
    let read = || MysqlBinlogCore::read_into::<_, MysqlBinlogCore>(&BytesReader::from(bytes), None, None)?.add(&mut out, "");
    if !attempt(read) {
        out = format!("{name} !\n");
    }
    out
}

fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).expect("the log can be read");
        print!("log {path}\n{}", text(bytes));
    }
}
