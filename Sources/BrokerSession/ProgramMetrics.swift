internal import Bytes
internal import CommandLine
public import Metrics
internal import MQTT
internal import Store
public import System

/// The metrics that every program of the house has: its build, its process, its connection and its state.
public enum ProgramMetrics {
    /// The build and the process, by the names that Prometheus' own libraries use.
    public static func process(of program: String, _ figures: ProcessFigures? = .read()) -> [MetricFamily] {
        let build = [MetricFamily.Label("program", program), MetricFamily.Label("version", Version.current)]
        let info = MetricFamily(
            "whereabouts_build_info", .info, "The program and its version.",
            [MetricFamily.Sample(.number(1), labels: build)])
        guard let figures else { return [info] }
        return [
            info,
            .counter(
                "process_cpu_seconds_total", "Seconds of a processor, the user's and the system's.",
                seconds: figures.processorSeconds),
            .gauge("process_resident_memory_bytes", "Memory that is resident.", Double(figures.residentBytes)),
            .gauge("process_virtual_memory_bytes", "Memory that is mapped.", Double(figures.virtualBytes)),
            .gauge("process_threads", "Threads.", Double(figures.threads)),
            .gauge("process_open_fds", "Open descriptors.", Double(figures.descriptors)),
            .gauge("process_max_fds", "The most descriptors that may be open.", Double(figures.descriptorLimit)),
            .gauge("process_start_time_seconds", "The start of the process, in Unix time.", figures.started.seconds),
        ]
    }
}

extension Session {
    /// The metrics of the connection to the broker.
    public var metrics: [MetricFamily] {
        let counts = statistics
        let dropped = [
            ("disconnected", counts.droppedDisconnected), ("flood", counts.droppedFlood),
            ("expired", counts.droppedExpired),
            ("full", counts.droppedFull), ("refused", counts.refused), ("unread", counts.droppedInbox),
            ("oversize", counts.droppedOversize),
        ]
        var families: [MetricFamily] = [
            .gauge(
                "whereabouts_mqtt_connected", "1 while the broker has accepted the connection.", isConnected ? 1 : 0),
            .counter("whereabouts_mqtt_connections_total", "Connections that a broker accepted.", counts.connections),
            .gauge("whereabouts_mqtt_queue_messages", "Messages that are not sent yet.", Double(unsent)),
            .counter("whereabouts_mqtt_sent_messages_total", "Messages sent, of QoS 1 acknowledged.", counts.sent),
            .counter("whereabouts_mqtt_received_messages_total", "Messages received.", counts.received),
            .counters(
                "whereabouts_mqtt_dropped_messages_total", "Messages dropped, by the reason.", by: "reason",
                dropped.map { ($0.0, Double($0.1)) }),
            .gauge(
                "whereabouts_mqtt_denied_subscriptions", "Subscriptions that the broker denies at present.",
                Double(denials.count)),
            .counter(
                "whereabouts_mqtt_acknowledged_messages_total", "Messages of QoS 1 that the broker acknowledged.",
                counts.acknowledged),
            .counter(
                "whereabouts_mqtt_acknowledgement_seconds_total",
                "The time from sending messages of QoS 1 to their acknowledgements, together.",
                seconds: counts.acknowledging.seconds),
        ]
        if let expiry = certificateExpiry {
            families.append(
                .gauge(
                    "whereabouts_certificate_expiry_timestamp_seconds",
                    "The earliest end of a certificate that the connection needs, in Unix time.", expiry.seconds))
        }
        return families
    }
}

extension PersistentState {
    /// The metrics of the state.
    public var metrics: [MetricFamily] {
        let counts = store.statistics
        var families: [MetricFamily] = [
            .gauge("whereabouts_state_writable", "1 while the disk accepts the state.", store.problem == nil ? 1 : 0),
            .counter("whereabouts_state_writes_total", "Transactions that reached the disk.", counts.transactions),
            .counter(
                "whereabouts_state_write_seconds_total", "The time that transactions took.",
                seconds: writing.seconds),
            .counter("whereabouts_state_write_failures_total", "Attempts to write that failed.", counts.failures),
            .gauge("whereabouts_state_waiting_events", "Events that wait for the disk.", Double(counts.pendingEvents)),
            .counter("whereabouts_state_dropped_events_total", "Events that were lost.", counts.droppedEvents),
            .gauge("whereabouts_events_last", "The number of the last event in this epoch.", Double(store.lastSeq)),
        ]
        if let bytes = store.fileBytes {
            families.append(.gauge("whereabouts_state_bytes", "The size of the database and its log.", Double(bytes)))
        }
        return families
    }
}
