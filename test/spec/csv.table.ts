// CSV as RFC 4180 describes it, and broken in every way: what a bulk job reads (docs/reference/data-api.md). The columns
// are `code` and `note`; the text has no header.

export type ReadRow =
  readonly [line: number, code: string | null, note: string | null] | readonly [line: number]

export interface CsvCase {
  name: string
  text: string | Buffer
  /** Each row with its line and its cells; with its line alone, it fails. */
  rows: readonly ReadRow[]
  /** In the message if the end of a row is not known, so that the job ends there. */
  ends?: RegExp
}

const bytes = (...parts: (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))

export const csvCases: readonly CsvCase[] = [
  {
    name: 'lines end with LF',
    text: 'a,1\nb,2\n',
    rows: [
      [1, 'a', '1'],
      [2, 'b', '2'],
    ],
  },
  {
    name: 'lines end with CRLF',
    text: 'a,1\r\nb,2\r\n',
    rows: [
      [1, 'a', '1'],
      [2, 'b', '2'],
    ],
  },
  {
    name: 'lines end with CR',
    text: 'a,1\rb,2\r',
    rows: [
      [1, 'a', '1'],
      [2, 'b', '2'],
    ],
  },
  {
    name: 'the last line has no end',
    text: 'a,1\nb,2',
    rows: [
      [1, 'a', '1'],
      [2, 'b', '2'],
    ],
  },
  { name: 'a byte order mark is not part of a cell', text: '\ufeffa,1\n', rows: [[1, 'a', '1']] },
  {
    name: 'a byte order mark in a later row is part of its cell',
    text: 'a,1\n\ufeffb,\n',
    rows: [
      [1, 'a', '1'],
      [2, '\ufeffb', null],
    ],
  },
  {
    name: 'a row that begins with the byte order mark of UTF-16 fails alone',
    text: bytes('a,1\n', [0xff, 0xfe], 'b,2\nc,3\n'),
    rows: [[1, 'a', '1'], [2], [3, 'c', '3']],
  },
  { name: 'a byte order mark before a quoted cell', text: '\ufeff"a",1\n', rows: [[1, 'a', '1']] },
  {
    name: 'empty lines are skipped, and counted',
    text: '\n\r\na,1\n\n\nb,2\n\n',
    rows: [
      [3, 'a', '1'],
      [6, 'b', '2'],
    ],
  },
  {
    name: 'an empty cell is absent, a quoted one is an empty text',
    text: 'a,\nb,""\n',
    rows: [
      [1, 'a', null],
      [2, 'b', ''],
    ],
  },
  {
    name: 'commas, quotes and ends of lines in quotes',
    text: '"a","1,""2""\r\n3"\nb,4\n',
    rows: [
      [1, 'a', '1,"2"\r\n3'],
      [3, 'b', '4'],
    ],
  },
  { name: 'a cell of quotes alone', text: 'a,""""\n', rows: [[1, 'a', '"']] },
  { name: 'spaces around a cell are part of it', text: ' a , 1 \n', rows: [[1, ' a ', ' 1 ']] },
  {
    name: 'characters of four bytes',
    text: 'a,\u{1f600}\u{10ffff}\n',
    rows: [[1, 'a', '\u{1f600}\u{10ffff}']],
  },
  { name: 'a replacement character that was sent', text: 'a,\ufffd\n', rows: [[1, 'a', '\ufffd']] },
  { name: 'a semicolon is text', text: 'a;1\n', rows: [[1]] },
  { name: 'too few cells', text: 'a\nb,2\n', rows: [[1], [2, 'b', '2']] },
  { name: 'too many cells', text: 'a,1,x\nb,2\n', rows: [[1], [2, 'b', '2']] },
  { name: 'a comma at the end of a line', text: 'a,1,\nb,2\n', rows: [[1], [2, 'b', '2']] },
  { name: 'a quote within a cell', text: 'a,5" pipe\nb,2\n', rows: [[1], [2, 'b', '2']] },
  { name: 'text after a quoted cell', text: 'a,"1"x\nb,2\n', rows: [[1], [2, 'b', '2']] },
  { name: 'a space before a quote', text: 'a, "1"\nb,2\n', rows: [[1], [2, 'b', '2']] },
  { name: 'a quote that a backslash escapes', text: 'a,"\\"1"\nb,2\n', rows: [[1], [2, 'b', '2']] },
  { name: 'two broken lines in a row', text: 'a,"1"x\nb,"2"y\nc,3\n', rows: [[1], [2], [3, 'c', '3']] },
  { name: 'a broken first and a broken last line', text: 'x"\na,1\ny"', rows: [[1], [2, 'a', '1'], [3]] },
  { name: 'bytes that are not UTF-8', text: bytes('a,', [0xe9], '\nb,2\n'), rows: [[1], [2, 'b', '2']] },
  { name: 'half of a character', text: bytes('a,', [0xc3], '\nb,2\n'), rows: [[1], [2, 'b', '2']] },
  {
    name: 'half of a pair of surrogates',
    text: bytes('a,', [0xed, 0xa0, 0x80], '\nb,2\n'),
    rows: [[1], [2, 'b', '2']],
  },
  { name: 'an overlong form', text: bytes('a,', [0xc0, 0xaf], '\nb,2\n'), rows: [[1], [2, 'b', '2']] },
  {
    name: 'bytes that are not UTF-8 in quotes, over two lines',
    text: bytes('a,"', [0xff], '\n1"\nb,2\n'),
    rows: [[1], [3, 'b', '2']],
  },
  {
    name: 'a row in UTF-16',
    text: bytes('x,0\n', [...Buffer.from('a,1', 'utf16le')]),
    rows: [
      [1, 'x', '0'],
      [2, 'a\0', '\u00001\0'],
    ],
  },
  {
    name: 'a quote that is never closed',
    text: 'a,1\nb,"2\nc,3\n',
    rows: [[1, 'a', '1']],
    ends: /line 2 has a quote that is never closed/,
  },
  {
    name: 'a quote that is never closed in the last cell',
    text: 'a,1\nb,"',
    rows: [[1, 'a', '1']],
    ends: /line 2 has a quote/,
  },
  {
    name: 'a wrong quote in a later line of a row',
    text: 'a,1\nb,"2\n3"x\nc,3\n',
    rows: [[1, 'a', '1']],
    ends: /begins in line 2 has a wrong quote in line 3/,
  },
  {
    name: 'a row that never ends',
    text: `a,1\nb,"${'x'.repeat(5 * 1024 * 1024)}`,
    rows: [[1, 'a', '1']],
    ends: /line 2 is longer than 4 MiB/,
  },
  { name: 'nothing', text: '', rows: [] },
  { name: 'empty lines alone', text: '\n\r\n\n', rows: [] },
]
