// whereabouts-fuser
