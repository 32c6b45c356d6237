public import WireProtocol

/// The settings of a client, fixed at its start.
public struct MQTTConfiguration: Sendable {
    /// The address of the broker.
    public var address: BrokerAddress
    /// Other brokers, tried in turn if that one can't be reached; each loss begins with the first one again.
    public var others: [BrokerAddress] = []
    /// The client identifier, the same for every connection (MQTT 5 section 3.1.3.1). A second client with it displaces
    /// this one.
    public var clientID: String
    /// The user name, if the broker requires one.
    public var username: String?
    /// Returns the password and the security of a connection, for each one anew. Called on the client's thread before
    /// it connects; it may read files. A thrown error is reported as the reason why there is no connection.
    public var credentials: @Sendable (BrokerAddress) throws(SecurityRefusal) -> Credentials = {
        (_) throws(SecurityRefusal) in Credentials()
    }
    /// The message that the broker publishes if this client vanishes without DISCONNECT (MQTT 5 section 3.1.2.5).
    public var will: Message?
    /// Seconds without traffic after which a connection is tested, 5 to 65535; a dead one is closed one to two such
    /// times later.
    public var keepAlive: UInt16 = 30
    /// Seconds until an attempt to connect is abandoned, from the first packet to CONNACK. The addresses of a name share them until
    /// one is reached; each but the last has half of them until CONNACK.
    public var connectTimeout = 10.0
    /// The addresses of a host, in the order of the attempts.
    var lookUp: @Sendable (_ host: String) throws(MQTTError) -> [String] = {
        (host) throws(MQTTError) in try HostAddresses.lookUp(host)
    }
    /// The pauses between attempts to connect.
    public var backoff = Backoff()
    /// The bound on messages that wait to be sent.
    public var outgoing = Bound(messages: 4096, bytes: 2 << 20)
    /// The most messages a second, a tenth of which may go at once; nil for as many as the broker accepts. Messages of
    /// QoS 0 that exceed a second's worth of waiting ones are dropped, the oldest first, and counted.
    public var rate: Int?
    /// The bound on messages that wait to be read by the program.
    public var incoming = Bound(messages: 65536, bytes: 16 << 20)
    /// The largest packet accepted from the broker, in bytes. The client states it to a broker of MQTT 5, which sends
    /// none that is larger (section 3.1.2.11.4); a larger one that arrives is dropped and counted.
    public var maximumPacketSize: UInt32 = 1 << 20

    /// A bound on a queue: the limit that is reached first applies.
    public struct Bound: Hashable, Sendable {
        /// The most messages.
        public var messages: Int
        /// The most bytes of topics and payloads.
        public var bytes: Int

        /// A bound of `messages` and of `bytes` of topics and payloads.
        public init(messages: Int, bytes: Int) {
            self.messages = messages
            self.bytes = bytes
        }
    }

    /// The configuration for a broker, with the bounds stated at each property.
    public init(address: BrokerAddress, clientID: String) {
        self.address = address
        self.clientID = clientID
    }
}
