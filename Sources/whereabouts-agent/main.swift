// whereabouts-agent
