//! Figures that are looked up for a scrape: gauges, at a cost that does not grow with the data.

use std::{fmt, time::Duration};

use embedded::{Database, Files, QueueDepth};
use prometheus_client::{
    encoding::DescriptorEncoder,
    metrics::{MetricType, exemplar::Exemplar},
};
use queue::Queue;

use super::process::Process;

/// The state at a moment.
#[derive(Debug, Default)]
pub(super) struct Sample {
    pub(super) is_ready: bool,
    pub(super) lags: Vec<(String, Duration)>,
    pub(super) live_connections: usize,
    pub(super) stored: Stored,
    pub(super) process: Process,
}

/// Figures that need a look at the disk.
#[derive(Debug, Default)]
pub(super) struct Stored {
    /// With dead letters after each queue.
    pub(super) queues: Vec<(Queue, [QueueDepth; 2])>,
    pub(super) files: Vec<Files>,
    pub(super) backup_age: Option<Duration>,
}

type Labels = Vec<(&'static str, String)>;

/// One metric with its values.
struct Gauge {
    name: &'static str,
    help: &'static str,
    values: Vec<(Labels, f64)>,
}

fn gauge(
    name: &'static str,
    help: &'static str,
    values: impl IntoIterator<Item = (Labels, f64)>,
) -> Gauge {
    Gauge { name, help, values: values.into_iter().collect() }
}

fn bare(value: impl Into<Option<f64>>) -> Option<(Labels, f64)> {
    value.into().map(|value| (vec![], value))
}

impl Sample {
    pub(super) fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        for Gauge { name, help, values } in self.gauges().iter().filter(|it| !it.values.is_empty())
        {
            let mut metric = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            for (labels, value) in values {
                metric.encode_family(labels)?.encode_gauge(value)?;
            }
        }
        let Some(seconds) = self.process.cpu_seconds else { return Ok(()) };
        let help = "Processor time of the process.";
        let (name, kind) = ("process_cpu_seconds", MetricType::Counter);
        let no_exemplar: Option<&Exemplar<Labels, f64>> = None;
        encoder.encode_descriptor(name, help, None, kind)?.encode_counter(&seconds, no_exemplar)
    }

    fn gauges(&self) -> Vec<Gauge> {
        let Self { stored, process, .. } = self;
        let lags = self.lags.iter();
        let lags = lags.map(|(stream, lag)| (vec![("stream", stream.clone())], lag.as_secs_f64()));
        let of_queue = |queue: Queue| ("queue", queue.name().to_owned());
        let messages = stored.queues.iter().flat_map(|(queue, [depth, _])| {
            let QueueDepth { visible, in_flight, delayed } = *depth;
            [("visible", visible), ("in_flight", in_flight), ("delayed", delayed)].map(
                |(state, count)| {
                    (vec![of_queue(*queue), ("state", state.to_owned())], count as f64)
                },
            )
        });
        let dead = stored.queues.iter();
        let dead = dead.map(|(queue, [_, dead])| (vec![of_queue(*queue)], dead.visible as f64));
        let of_database = |database: Database| vec![("database", database.name().to_owned())];
        let bytes = stored.files.iter().map(|it| (of_database(it.database), it.bytes as f64));
        let log = stored.files.iter().map(|it| (of_database(it.database), it.log_bytes as f64));
        let version = vec![("version", env!("CARGO_PKG_VERSION").to_owned())];
        vec![
            gauge("roundtable_build_info", "The version, with the value 1.", [(version, 1.0)]),
            gauge(
                "roundtable_ready",
                "Whether /ready answers 200.",
                bare(f64::from(u8::from(self.is_ready))),
            ),
            gauge("roundtable_stream_lag_seconds", "Age of the oldest unprocessed record.", lags),
            gauge(
                "roundtable_queue_messages",
                "Messages in a queue; 10,000 in a state are that or more.",
                messages,
            ),
            gauge("roundtable_dead_letters", "Messages that were given up.", dead),
            gauge(
                "roundtable_live_connections",
                "Connections of the live channel.",
                bare(self.live_connections as f64),
            ),
            gauge("roundtable_database_bytes", "Size of a database.", bytes),
            gauge("roundtable_wal_bytes", "Size of the write-ahead log of a database.", log),
            gauge(
                "roundtable_backup_age_seconds",
                "Age of the newest backup, or of the data without one.",
                bare(stored.backup_age.map(|age| age.as_secs_f64())),
            ),
            gauge("process_resident_memory_bytes", "Memory.", bare(process.resident_bytes)),
            gauge("process_open_fds", "Open file descriptors.", bare(process.open_fds)),
            gauge("process_max_fds", "The limit of these.", bare(process.max_fds)),
            gauge("process_start_time_seconds", "Start since the epoch.", bare(process.started_at)),
        ]
    }
}

#[cfg(test)]
impl Sample {
    /// With a value of each metric.
    pub(super) fn of_everything() -> Self {
        let depth = QueueDepth { visible: 1, in_flight: 2, delayed: 3 };
        let files = [Database::DynamoDb, Database::Sqs];
        Self {
            is_ready: true,
            lags: vec![("Resources".to_owned(), Duration::from_secs(1))],
            live_connections: 1,
            stored: Stored {
                queues: Queue::ALL.map(|queue| (queue, [depth; 2])).to_vec(),
                files: files.map(|database| Files { database, bytes: 1, log_bytes: 2 }).to_vec(),
                backup_age: Some(Duration::from_secs(1)),
            },
            process: Process {
                cpu_seconds: Some(1.0),
                resident_bytes: Some(1.0),
                open_fds: Some(1.0),
                max_fds: Some(1.0),
                started_at: Some(1.0),
            },
        }
    }
}
