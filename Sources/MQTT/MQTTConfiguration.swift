public import WireProtocol

/// Everything that a client is told before it starts.
public struct MQTTConfiguration: Sendable {
    /// Where the broker is.
    public var address: BrokerAddress
    /// Other brokers, tried in turn where that one can't be had; each loss begins with the first one again.
    public var others: [BrokerAddress] = []
    /// The client identifier, the same for every connection (MQTT 5 section 3.1.3.1). A second client with it takes over.
    public var clientID: String
    /// The user name, where the broker asks for one.
    public var username: String?
    /// Gives the password and what secures a connection, for each one anew: asked on the client's thread before it
    /// connects, and may read files. What it throws is told as the reason why there is no connection.
    public var credentials: @Sendable (BrokerAddress) throws(SecurityRefusal) -> Credentials = {
        (_) throws(SecurityRefusal) in Credentials()
    }
    /// What the broker publishes when this client is gone without a word (MQTT 5 section 3.1.2.5).
    public var will: Message?
    /// Seconds after which a silent line is tested, 5 to 65535; it is given up one to two such times later.
    public var keepAlive: UInt16 = 30
    /// Seconds until an attempt to connect is given up: for each address family, from the first packet to CONNACK.
    public var connectTimeout = 10.0
    /// The pauses between attempts to connect.
    public var backoff = Backoff()
    /// How much may wait to be sent.
    public var outgoing = Bound(messages: 4096, bytes: 2 << 20)
    /// Messages a second at most, and a tenth of that at once; nil for as many as the broker takes. What is of QoS 0 and
    /// waits behind more than a second's worth of its like is dropped, the oldest first, and counted.
    public var rate: Int?
    /// How much may wait to be taken by the program.
    public var incoming = Bound(messages: 65536, bytes: 16 << 20)
    /// The largest packet taken from the broker, in bytes. A broker of MQTT 5 is told and sends none that is larger
    /// (section 3.1.2.11.4); what comes all the same is dropped and counted.
    public var maximumPacketSize: UInt32 = 1 << 20

    /// A bound on a queue: whichever is reached first.
    public struct Bound: Hashable, Sendable {
        /// So many messages.
        public var messages: Int
        /// So many bytes of topics and payloads.
        public var bytes: Int

        /// A bound of so many messages and so many bytes of topics and payloads.
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
