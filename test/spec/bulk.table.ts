// Bulk jobs over HTTP, one row per case (docs/reference/data-api.md): what is sent to a job over contacts, and what becomes
// of it. `{}` in a text is a prefix that no other case uses.

export interface BulkCase {
  name: string
  /** Rows of CSV with a header that are loaded by `code` before. */
  before?: string
  /** By default, an insert of contacts from CSV. */
  request?: Record<string, unknown>
  /** The status and the code if the job is refused when it is created. */
  refused?: readonly [status: number, code: string, message: RegExp]
  /** In the order in which they are sent; by default the text as part 1. */
  parts?: readonly (readonly [number: number, text: string])[]
  text?: string
  /** The number of parts that close names; by default how many there are. */
  closes?: number
  /** The status and the code if it cannot be closed; it stays open. */
  notClosed?: readonly [status: number, code: string, message: RegExp]
  /** Of the job at its end. */
  job?: Record<string, unknown>
  /** Of each row: its line and its outcome, with a part of the message of a failure. */
  results?: readonly (readonly [line: number, outcome: string, message?: string])[]
  /** The fields of contacts at the end, by code; null for none. */
  contacts?: Readonly<Record<string, Record<string, unknown> | null>>
  failedRows?: string
  unprocessed?: string
}

const upsert = { operation: 'upsert', externalId: 'code' }
const update = { operation: 'update', externalId: 'code' }
const jsonl = { format: 'jsonl' }

export const bulkCases: readonly BulkCase[] = [
  // States
  {
    name: 'a job without rows is completed',
    text: 'code,name\n',
    job: { state: 'completed', rowsTotal: 0, rowsDone: 0, parts: 1 },
    results: [],
  },
  {
    name: 'a job whose rows all fail is completed',
    text: 'code,amount\n{}a,-1\n{}b,x\n',
    job: { state: 'completed', succeeded: 0, failed: 2 },
  },
  {
    name: 'a job ends early where the next row is not known, and has what is left',
    text: 'code,name\n{}a,One\n{}b,"Two\n{}c,Three\n',
    job: { state: 'failed', rowsDone: 1, rowsTotal: null, problem: { code: 'ingest.row' } },
    results: [[2, 'created']],
    unprocessed: 'code,name\r\n{}b,"Two\n{}c,Three\n',
  },
  // Operations
  {
    name: 'insert adds records, and refuses a value that exists',
    before: 'code\n{}a\n',
    text: 'code\n{}a\n{}b\n{}b\n',
    results: [
      [2, 'failed', 'code'],
      [3, 'created'],
      [4, 'failed', 'code'],
    ],
  },
  {
    name: 'upsert changes a record, and adds what does not exist',
    before: 'code,name\n{}a,One\n',
    request: upsert,
    text: 'code,name\n{}a,Two\n{}b,New\n{}b,Newer\n',
    job: { created: 1, changed: 2 },
    contacts: { '{}a': { name: 'Two' }, '{}b': { name: 'Newer' } },
  },
  {
    name: 'update changes a record, and fails without one',
    before: 'code,name\n{}a,One\n',
    request: update,
    text: 'code,name\n{}a,Two\n{}b,New\n',
    results: [
      [2, 'changed'],
      [3, 'failed', 'has the value'],
    ],
    contacts: { '{}b': null },
  },
  {
    name: 'delete removes a record, and fails without one',
    before: 'code\n{}a\n',
    request: { operation: 'delete', externalId: 'code' },
    text: 'code\n{}a\n{}a\n',
    results: [
      [2, 'deleted'],
      [3, 'failed', 'has the value'],
    ],
    contacts: { '{}a': null },
  },
  // Unchanged, clearing, absent
  {
    name: 'a row that changes nothing is unchanged',
    before: 'code,name,amount,active,born\n{}a,One,1.5,true,2001-02-03\n',
    request: upsert,
    text: 'code,name,amount,active,born\n{}a,One,1.50,true,2001-02-03\n',
    job: { unchanged: 1, changed: 0, succeeded: 1 },
    results: [[2, 'unchanged']],
  },
  {
    name: 'an empty cell clears, a quoted one is an empty text, and a column that is absent stays',
    before: 'code,name,note,amount\n{}a,One,Two,3\n',
    request: upsert,
    text: 'code,name,note\n{}a,,""\n',
    contacts: { '{}a': { name: null, note: '', amount: '3.00' } },
  },
  {
    name: 'clearing a required field fails',
    before: 'code,name\n{}a,One\n',
    request: { operation: 'update', externalId: 'code', columns: ['code', 'name'] },
    text: '{}a,One\n,Two\n',
    results: [
      [1, 'unchanged'],
      [2, 'failed'],
    ],
  },
  {
    name: 'in JSON Lines, null clears, and a missing member stays',
    before: 'code,name,note\n{}a,One,Two\n',
    request: { ...upsert, ...jsonl, columns: ['code', 'name', 'note'] },
    text: '{"code":"{}a","name":null}\n',
    contacts: { '{}a': { name: null, note: 'Two' } },
  },
  {
    name: 'numbers of JSON are exact as they are written',
    request: { ...upsert, ...jsonl, columns: ['code', 'amount'] },
    text: '{"code":"{}a","amount":"1234567890.12"}\n{"code":"{}b","amount":0.1}\n',
    contacts: { '{}a': { amount: '1234567890.12' }, '{}b': { amount: '0.10' } },
  },
  {
    name: 'lines of JSON that are broken fail alone',
    request: { ...upsert, ...jsonl, columns: ['code'] },
    text: '{"code":"{}a"}\n{"code"\n[]\n"x"\nnull\n{"code":"1","code":"2"}\n{"cod":"3"}\n\n{"code":"{}b"}',
    results: [
      [1, 'created'],
      [2, 'failed', 'not valid JSON'],
      [3, 'failed', 'not a JSON object'],
      [4, 'failed', 'not a JSON object'],
      [5, 'failed', 'not a JSON object'],
      [6, 'failed', 'code'],
      [7, 'failed', 'Did you mean "code"'],
      [9, 'created'],
    ],
  },
  // Rows that name no record
  {
    name: 'a row without the id of its record',
    request: { operation: 'update' },
    text: 'id,name\n,x\n"",y\nnope,z\n',
    results: [
      [2, 'failed', '"id" must be the id of a record, as text.'],
      [3, 'failed', '"id" must be the id of a record, as text.'],
      [4, 'failed', 'no record nope'],
    ],
  },
  {
    name: 'an id in JSON Lines that is not text',
    request: { operation: 'delete', ...jsonl, columns: ['id'] },
    text: '{"id":{"code":"{}a"}}\n{"id":7}\n{ }\n',
    results: [
      [1, 'failed', '"id" must be the id of a record, as text.'],
      [2, 'failed', '"id" must be the id of a record, as text.'],
      [3, 'failed', '"id"'],
    ],
  },
  // References
  {
    name: 'a reference in JSON Lines as an object, whose field is not among the columns',
    request: { ...upsert, ...jsonl, columns: ['code', 'region'] },
    text: '{"code":"{}a","region":{"code":"north"}}\n{"code":"{}b","region":{"item":0}}\n{"code":"{}c","region":null}\n',
    results: [
      [1, 'failed', 'name a column such as "region.code"'],
      [2, 'failed', 'name a column such as "region.code"'],
      [3, 'created'],
    ],
  },
  {
    name: 'a reference by a unique field',
    text: 'code,region.code\n{}a,north\n{}b,nowhere\n{}c,\n',
    results: [
      [2, 'created'],
      [3, 'failed', 'no record of region has the value "nowhere" in code'],
      [4, 'created'],
    ],
    contacts: { '{}a': { 'region.code': 'north' }, '{}c': { 'region.code': null } },
  },
  {
    name: 'a reference in JSON Lines, as a member with a dot',
    request: { ...upsert, ...jsonl, columns: ['code', 'region.code'] },
    text: '{"code":"{}a","region.code":"north"}\n',
    contacts: { '{}a': { 'region.code': 'north' } },
  },
  // Columns
  {
    name: 'names of the header are trimmed, and can be aliases',
    text: ' code , full_name \n{}a,One\n',
    job: { columns: ['code', 'full_name'] },
    contacts: { '{}a': { name: 'One' } },
  },
  {
    name: 'without a header, columns name the cells',
    request: { columns: ['name', 'code'] },
    text: 'One,{}a\n',
    results: [[1, 'created']],
    failedRows: '',
  },
  {
    name: 'columns replace the names of a header, and a column that is null is not loaded',
    request: { columns: ['code', null, 'amount'], hasHeader: true },
    text: 'Key,Fax,Sum\n{}a,123,1\n{}b,456,-1\n',
    job: { columns: ['code', null, 'amount'] },
    results: [
      [2, 'created'],
      [3, 'failed', 'No negative amounts.'],
    ],
    contacts: { '{}a': { amount: '1.00' } },
    failedRows: 'code,,amount\r\n{}b,456,-1\n',
  },
  {
    name: 'a header with a different number of columns',
    request: { columns: ['code'], hasHeader: true },
    text: 'code,name\n{}a,One\n',
    notClosed: [422, 'ingest.columns', /header has 2 columns, but "columns" has 1/],
  },
  {
    name: 'an unknown column is refused by name, as are all others',
    text: 'code,nme,twice\n{}a,One,2\n',
    notClosed: [422, 'ingest.columns', /no field "nme"\. Did you mean "name".*twice is computed/],
  },
  {
    name: 'a hidden column is refused as an unknown one',
    text: 'code,secret\n{}a,x\n',
    notClosed: [422, 'ingest.columns', /no field "secret"/],
  },
  {
    name: 'an empty name of a column',
    text: 'code,\n{}a,x\n',
    notClosed: [422, 'ingest.columns', /no field ""/],
  },
  {
    name: 'parts in UTF-16',
    text: 'c\0o\0d\0e\0\n\0a\0\n\0',
    notClosed: [422, 'ingest.row', /in UTF-16\. Send them in UTF-8/],
  },
  {
    name: 'parts in UTF-16 without a header',
    request: { columns: ['code'] },
    text: '\0a\0\n',
    notClosed: [422, 'ingest.row', /in UTF-16/],
  },
  { name: 'no header', text: '', notClosed: [422, 'ingest.columns', /The parts are empty/] },
  {
    name: 'columns that are all null',
    request: { columns: [null, null] },
    refused: [422, 'ingest.columns', /No column is loaded/],
  },
  {
    name: 'null in the columns of JSON Lines',
    request: { ...jsonl, columns: ['code', null] },
    refused: [422, 'ingest.columns', /needs "columns"/],
  },
  {
    name: 'a header of JSON Lines',
    request: { ...jsonl, columns: ['code'], hasHeader: true },
    refused: [422, 'ingest.columns', /JSON Lines have no header/],
  },
  {
    name: 'neither a header nor columns',
    request: { hasHeader: false },
    refused: [422, 'ingest.columns', /without a header needs "columns"/],
  },
  {
    name: 'an unknown object',
    request: { object: 'contct' },
    refused: [404, 'object.not_found', /"contct"/],
  },
  {
    name: 'an unknown operation',
    request: { operation: 'merge' },
    refused: [400, 'request.malformed', /operation/],
  },
  {
    name: 'an upsert without an external ID',
    request: { operation: 'upsert', columns: ['code'] },
    refused: [422, 'ingest.columns', /needs an "externalId"/],
  },
  {
    name: 'an external ID that is not unique',
    request: { operation: 'upsert', externalId: 'name', columns: ['name'] },
    refused: [422, 'ingest.columns', /no unique field "name"/],
  },
  {
    name: 'an external ID without its column',
    request: { ...upsert, columns: ['name'] },
    refused: [422, 'ingest.columns', /column "code" of "externalId" is missing/],
  },
  // Parts
  {
    name: 'parts are read by number, in any order of sending',
    parts: [
      [3, 'e\n'],
      [1, 'code,name\n{}a,On'],
      [2, 'e\n{}b,On'],
    ],
    job: { parts: 3, created: 2 },
    contacts: { '{}b': { name: 'One' } },
  },
  {
    name: 'a part that is sent again replaces the first one',
    parts: [
      [1, 'code,name\n{}a,Wrong and much longer than the other\n'],
      [1, 'code,name\n{}a,One\n'],
    ],
    job: { created: 1, parts: 1 },
    contacts: { '{}a': { name: 'One' } },
  },
  {
    name: 'parts can be empty',
    parts: [
      [1, ''],
      [2, 'code\n'],
      [3, ''],
      [4, '{}a\n'],
    ],
    job: { created: 1, parts: 4 },
  },
  {
    name: 'a part that is missing is named',
    parts: [
      [1, 'code\n'],
      [4, '{}a\n'],
    ],
    closes: 4,
    notClosed: [422, 'ingest.parts', /Of 4 parts, these are missing: 2, 3\./],
  },
  {
    name: 'parts after the number that close names',
    parts: [
      [1, 'code\n'],
      [2, '{}a\n'],
    ],
    closes: 1,
    notClosed: [422, 'ingest.parts', /parts after part 1: 2\./],
  },
  {
    name: 'more missing parts than are named',
    parts: [[1, 'code\n']],
    closes: 50,
    notClosed: [422, 'ingest.parts', /2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and others/],
  },
  { name: 'no part', parts: [], closes: 1, notClosed: [422, 'ingest.parts', /these are missing: 1/] },
  {
    name: 'a number of parts that is not possible',
    parts: [[1, 'code\n']],
    closes: 0,
    notClosed: [400, 'request.malformed', /parts/],
  },
  // Rules of records
  {
    name: 'a row that a rule refuses is undone alone, and can be sent again as it was',
    text: 'code,amount,note\n{}a,1,"x\ny"\n{}b,-1,"p\nq"\n{}c,3,z\n',
    results: [
      [2, 'created'],
      [4, 'failed', 'No negative amounts.'],
      [6, 'created'],
    ],
    failedRows: 'code,amount,note\r\n{}b,-1,"p\nq"\n',
    contacts: { '{}b': null, '{}c': { amount: '3.00', twice: '6.00' } },
  },
  {
    name: 'values that do not fit their fields fail with the field',
    text: 'code,amount,active,born\n{}a,1,maybe,\n{}b,"1,5",true,\n{}c,1,true,03.02.2001\n{}d,1,true,2001-02-30\n{}e,12345678901.00,true,\n',
    results: [
      [2, 'failed', 'active'],
      [3, 'failed', 'amount'],
      [4, 'failed', 'born'],
      [5, 'failed', 'born'],
      [6, 'failed', 'amount'],
    ],
  },
  {
    name: 'the character U+0000 is refused',
    text: 'code,name\n{}a,x\0y\n',
    results: [[2, 'failed', 'name']],
  },
]
