package page

// Loopback is the rule for this computer's own sites.
var Loopback = isLoopback
