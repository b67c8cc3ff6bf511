//! mysql_common on a log file: every row to values of Rust, JSON to serde_json, checksums verified.
//!
//! As a program it prints one line of JSON, as bench/timing.py describes: peer LOG REPEATS.

use std::error::Error;
use std::fs::{metadata, read_to_string, File};
use std::io::BufReader;
use std::time::{Duration, Instant};

use mysql_common::binlog::consts::{BinlogChecksumAlg, BinlogVersion};
use mysql_common::binlog::events::{Event, EventData, RowsEventData};
use mysql_common::binlog::row::BinlogRow;
use mysql_common::binlog::value::BinlogValue;
use mysql_common::binlog::BinlogFile;
use serde_json::{json, Value};

#[derive(Default)]
struct Rows {
    insert: usize,
    update: usize,
    delete: usize,
}

/// Takes each value out of a row; a JSON document, which is still binary, becomes one of serde_json.
fn take_values(row: BinlogRow) -> Result<usize, Box<dyn Error>> {
    let mut count = 0;
    for value in row.unwrap() {
        if let BinlogValue::Jsonb(document) = value {
            count += usize::from(!Value::from(document.parse()?).is_null());
        } else {
            count += 1;
        }
    }
    Ok(count)
}

fn check(event: &Event) -> Result<(), Box<dyn Error>> {
    if let Ok(Some(BinlogChecksumAlg::BINLOG_CHECKSUM_ALG_CRC32)) = event.footer().get_checksum_alg() {
        let found = event.calc_checksum(BinlogChecksumAlg::BINLOG_CHECKSUM_ALG_CRC32);
        if event.checksum() != Some(found.to_le_bytes()) {
            return Err("checksum differs".into());
        }
    }
    Ok(())
}

fn count_rows(path: &str) -> Result<Rows, Box<dyn Error>> {
    let mut log = BinlogFile::new(
        BinlogVersion::Version4,
        BufReader::with_capacity(1 << 20, File::open(path)?),
    )?;
    let mut rows = Rows::default();
    while let Some(event) = log.next() {
        let event = event?;
        check(&event)?;
        let Some(EventData::RowsEvent(data)) = event.read_data()? else {
            continue;
        };
        let table = log.reader().get_tme(data.table_id()).ok_or("no table map")?;
        let mut count = 0;
        for row in data.rows(table) {
            let (before, after) = row?;
            for image in [before, after].into_iter().flatten() {
                take_values(image)?;
            }
            count += 1;
        }
        match data {
            RowsEventData::WriteRowsEvent(_) => rows.insert += count,
            RowsEventData::UpdateRowsEvent(_) => rows.update += count,
            RowsEventData::DeleteRowsEvent(_) => rows.delete += count,
            _ => return Err("another type of rows event".into()),
        }
    }
    Ok(rows)
}

/// Returns the most resident memory of this process, in bytes.
fn peak_memory() -> usize {
    let status = read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)).unwrap_or("0");
    kilobytes.parse::<usize>().unwrap_or(0) * 1024
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let repeats: usize = arguments[2].parse()?;
    let mut best = Duration::MAX;
    let mut rows = Rows::default();
    for _ in 0..repeats {
        let started = Instant::now();
        rows = count_rows(&arguments[1])?;
        best = best.min(started.elapsed());
    }
    let counts = [("insert", rows.insert), ("update", rows.update), ("delete", rows.delete)];
    let counts: serde_json::Map<String, Value> = counts
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(name, count)| (name.to_string(), json!(count)))
        .collect();
    let found = json!({
        "seconds": best.as_secs_f64(), "num_bytes": metadata(&arguments[1])?.len(),
        "rows": counts, "peak_rss": peak_memory(),
    });
    println!("{found}");
    Ok(())
}
