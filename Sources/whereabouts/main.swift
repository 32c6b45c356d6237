// whereabouts
