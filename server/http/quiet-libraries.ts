// Express and its parts print the URL of each request if the environment variable DEBUG names them. The URL of a callback
// contains an authorisation code, and the link that opens a session its secret.
import debug from 'debug'

debug.disable()
