// The guide that a retired protocol version points to (specification 9.3).

export const migrationGuide = `# Moving to protocol v3

Versions 1 and 2 of the data API are retired; every call to them answers 410.

1. Replace /data/v1 and /data/v2 by /data/v3 in your addresses.
2. Get a bearer token: POST /oauth2/token with grant_type=client_credentials and the id and secret of your registered client.
3. Expect errors as application/problem+json with class, code, correlationId, retriable and origin.
4. Send numbers and read them as decimal strings: no value passes through a binary float.
5. Follow nextCursor for pages; a cursor belongs to the question that it came from.

The whole surface is described in /openapi.json.
`
