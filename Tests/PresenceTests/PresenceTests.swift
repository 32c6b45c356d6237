// PresenceTests
