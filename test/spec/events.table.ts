// Events: what can be published, and where a consumer begins.

export interface PublishRow {
  title: string
  payload: Record<string, unknown>
  /** What is published; null if it is refused. */
  published: Record<string, unknown> | null
  code?: string
  /** In the message. */
  names?: string
}

export const schema = [
  { key: 'number', type: 'text', required: true },
  { key: 'amount', type: 'number', precision: 6, scale: 2 },
  { key: 'day', type: 'date' },
  { key: 'at', type: 'datetime' },
  { key: 'paid', type: 'boolean' },
  { key: 'state', type: 'enum', valueSet: 'state' },
  { key: 'task', type: 'reference', references: 'task' },
]

const none = { number: 'n', amount: null, day: null, at: null, paid: null, state: null, task: null }
const id = '01900000-0000-7000-8000-000000000000'
const refused = (title: string, payload: Record<string, unknown>, names: string): PublishRow => ({
  ...{ title, payload: { number: 'n', ...payload }, published: null, code: 'event.invalid', names },
})

export const publishing: readonly PublishRow[] = [
  { title: 'an omitted field is null', payload: { number: 'n' }, published: none },
  {
    title: 'a number is exact, as text or as JSON',
    payload: { number: 'n', amount: '12.5' },
    published: { ...none, amount: '12.50' },
  },
  { title: 'a JSON number', payload: { number: 'n', amount: 3 }, published: { ...none, amount: '3.00' } },
  {
    title: 'each type',
    payload: { number: 'n', day: '2026-01-31', paid: true, state: 'open', task: id },
    published: { ...none, day: '2026-01-31', paid: true, state: 'open', task: id },
  },
  {
    title: 'a required field is named',
    ...{ payload: { amount: '1' }, published: null, code: 'event.invalid', names: 'number' },
  },
  refused('more decimals than the field has', { amount: '1.234' }, 'amount'),
  refused('a number that is too large', { amount: '12345.00' }, 'amount'),
  refused('a date that does not exist', { day: '2026-02-30' }, 'day'),
  refused('a value that the value set does not have', { state: 'lost' }, 'state'),
  refused('an id of a wrong form', { task: 'x' }, 'task'),
  refused('a field that the schema does not have', { total: 1 }, 'total'),
  refused('a value of another type', { paid: 'yes' }, 'paid'),
  {
    title: 'an event over maxBytes names its largest field',
    ...{
      payload: { number: 'x'.repeat(1100) },
      published: null,
      code: 'limit.event_too_large',
      names: 'number',
    },
  },
]

/** A log of one partition with the events 1 to 10, of which 1 to 4 were removed. */
export interface StartRow {
  title: string
  /** Query of the page. `<log>` is replaced with the log of the channel. */
  query: string
  /** The numbers of the events; the code of the error if it is refused. */
  events: readonly number[] | string
  gap?: { reason: string; asked: string; resumesAfter: string }
}

export const starts: readonly StartRow[] = [
  {
    title: 'earliest begins with the oldest retained event with a gap',
    ...{ query: 'from=earliest', events: [5, 6, 7, 8, 9, 10] },
    gap: { reason: 'retention', asked: '0', resumesAfter: '4' },
  },
  { title: 'latest begins after the newest event', query: 'from=latest', events: [] },
  { title: 'a sequence is the first event', query: 'partition=0&from=8', events: [8, 9, 10] },
  { title: 'after excludes the event', query: 'partition=0&after=8', events: [9, 10] },
  { title: 'a cursor goes on after it', query: 'after=<log>.1.0:7', events: [8, 9, 10] },
  { title: 'a cursor without a log', query: 'after=0:9', events: [10] },
  { title: 'a cursor at the end', query: 'after=<log>.1.0:10', events: [] },
  {
    title: 'a cursor beyond retention',
    ...{ query: 'after=<log>.1.0:2', events: [5, 6, 7, 8, 9, 10] },
    gap: { reason: 'retention', asked: '2', resumesAfter: '4' },
  },
  {
    title: 'a number ahead of the log',
    ...{ query: 'partition=0&after=99', events: [] },
    gap: { reason: 'ahead', asked: '99', resumesAfter: '10' },
  },
  { title: 'a limit', query: 'partition=0&after=4&limit=2', events: [5, 6] },
  { title: 'a sequence without a partition', query: 'from=8', events: 'request.malformed' },
  { title: 'after and from', query: 'from=latest&after=0:1', events: 'request.malformed' },
  { title: 'a partition that does not exist', query: 'partition=3&from=latest', events: 'request.malformed' },
  { title: 'a cursor of another log', query: 'after=abcdefgh.1.0:7', events: 'event.cursor' },
  { title: 'a cursor with a partition that does not exist', query: 'after=7:1', events: 'request.malformed' },
  { title: 'a text of another form', query: 'after=x', events: 'request.malformed' },
  { title: 'an epoch that cannot be', query: 'after=<log>.999999.0:7', events: 'request.malformed' },
  { title: 'a limit of none', query: 'limit=x', events: 'request.malformed' },
  { title: 'a limit of 0', query: 'limit=0', events: 'request.malformed' },
  { title: 'a limit over 1000', query: 'limit=1001', events: 'request.malformed' },
  { title: 'a wait over a minute', query: 'wait=61', events: 'request.malformed' },
  {
    title: 'a time before the log',
    query: 'from=1970-01-01T00:00:00Z',
    events: [5, 6, 7, 8, 9, 10],
    gap: { reason: 'retention', asked: '0', resumesAfter: '4' },
  },
  { title: 'a time after the log', query: 'from=2999-01-01T00:00:00Z', events: [] },
  {
    title: 'a number that is too long',
    query: 'partition=0&from=9999999999999999',
    events: 'request.malformed',
  },
]
