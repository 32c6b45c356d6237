// AdvertisingTests
