import Foundation
import Support
import Testing

extension Live {
    /// The metrics of both programs, as a scraper reads them.
    @Suite struct LiveMetrics {
        @Test("Give an agent's metrics and health, and its metrics to the token alone where there is one")
        func agent() async throws {
            let broker = try Broker()
            let deployment = try Deployment(broker)
            let port = try Listener().port
            _ = try deployment.folder.write(Array("secret-of-kitchen\n".utf8), to: "token")
            try setMode(0o600, of: deployment.folder.file("token"))
            let file = try deployment.agent(
                "kitchen", source: "simulate:\(Deployment.flat)",
                ["web: {listen: \"127.0.0.1:\(port)\", token_file: token}"])
            let agent = try RunningProgram("whereabouts-agent", ["--config", file])
            defer { agent.process.terminate() }
            #expect(try await until(20) { (try? ask(port, "/healthz").contains(" 200 ")) ?? false }, "\(agent.errors)")
            #expect(try ask(port, "/metrics").contains(" 401 "))
            #expect(try ask(port, "/metrics", ["Authorization: Bearer secret-of-kitche"]).contains(" 401 "))
            #expect(try ask(port, "/").contains(" 404 "))
            #expect(try ask(port, "/metrics", method: "POST").contains(" 405 "))
            let token = ["Authorization: Bearer secret-of-kitchen"]
            let heard = /whereabouts_radio_reports_total [1-9]/
            #expect(try await until(20) { try ask(port, "/metrics", token).contains(heard) })
            let text = try ask(port, "/metrics", token)
            #expect(text.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8"))
            #expect(text.contains("\nwhereabouts_mqtt_connected 1\n"))
            #expect(text.contains("whereabouts_build_info{program=\"agent\","))
            let open = try ask(port, "/metrics", token + ["Accept: application/openmetrics-text; version=1.0.0"])
            #expect(open.contains("Content-Type: application/openmetrics-text") && open.hasSuffix("# EOF\n"))

            broker.kill()
            #expect(try await until(20) { try ask(port, "/healthz").contains(" 503 ") })
            #expect(try ask(port, "/metrics", token).contains("\nwhereabouts_mqtt_connected 0\n"))
        }

        @Test("Give a fuser's metrics to viewers, without a name of an item")
        func fuser() async throws {
            let flat = try ServedFlat()
            defer { flat.stop() }
            let page = flat.page
            #expect(try await page.answers(within: Live.promised(20)), "\(flat.fuser.errors)")
            #expect(try page.send("GET", "/metrics").status == 401)
            let token = ["Authorization: Bearer \(ServedPage.viewer)"]
            let present = "\nwhereabouts_items{state=\"present\"} 3\n"
            var text = ""
            // Slowly: a viewer may ask ten times a second.
            for _ in 0..<Int(Live.promised(30)) where !text.contains(present) {
                try await Task.sleep(for: .seconds(1))
                text = try page.send("GET", "/metrics", token).body
            }
            #expect(text.contains(present))
            #expect(text.contains("\nwhereabouts_node_online{node=\"kitchen\"} 1\n"))
            #expect(text.contains("\nwhereabouts_fuser_shards_served 256\n"))
            #expect(text.contains(/whereabouts_answer_lag_seconds_count [1-9]/))
            #expect(!text.contains("item=") && !text.contains("keys"))
        }

        private func ask(
            _ port: UInt16, _ path: String, _ headers: [String] = [], method: String = "GET"
        ) throws -> String {
            let client = try RawClient(port: port)
            let lines = ["\(method) \(path) HTTP/1.1", "Host: a", "Connection: close"] + headers
            client.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
            return client.receive(seconds: 20)
        }
    }
}
