// MQTTTests
