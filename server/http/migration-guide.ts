// The migration guide that responses of retired protocol versions link to.

export const migrationGuide = `# Moving to protocol v3

Versions 1 and 2 of the data API are retired. All calls to them return 410.

1. Replace /data/v1 and /data/v2 with /data/v3 in your URLs.
2. Get a bearer token: POST /oauth2/token with grant_type=client_credentials and the ID and secret of your registered client.
3. Expect errors as application/problem+json with class, code, correlationId, retriable and origin.
4. Send and read numbers as decimal strings. Values are never converted to a binary float.
5. Follow nextCursor for pages. A cursor is valid only for the query that returned it.

The full API is described in /openapi.json.
`
