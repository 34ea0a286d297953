// Every verb of the command line, in the order of its help (style 5: order is data).
import type { Verb } from './verb.ts'

const list = [
  ['--drafts', 'the drafts of the org instead of a directory'],
  ['--prune', 'also remove what the directory does not have'],
  [
    '--repair <choice...>',
    'mend findings by choice: config.range_gap=extend_earlier, config.range_gap:HR=extend_later, config.range_end:GR-69=set_value:rate=0.19',
  ],
] as const
const all = ['--all', 'show every change, however many'] as const
const rationale = ['--rationale <text>', 'why; kept in the audit'] as const
const scope = [
  '--scope <kind=value...>',
  'who asks: environment=prod, app=…, locale=de-AT, permission_set=a,b, user=…',
] as const
const generation = ['--generation <n>', 'of this generation instead of the active one'] as const
const inputs = [
  '--input <name:type=value...>',
  'declared inputs of the expression: amount:number=100.00',
] as const

export const verbs: readonly Verb[] = [
  {
    name: 'init',
    usage: '[dir]',
    summary: 'make an org in a folder',
    options: [
      ['--name <name>', 'what the org is called'],
      ['--environment <name>', 'dev, test, prod or any other name'],
      ['--sample', 'with the sample: VAT rates, flags, an invoice'],
    ],
    load: () => import('./verbs/init.ts'),
  },
  {
    name: 'serve',
    usage: '',
    summary: 'serve an org, and with --studio the studio',
    options: [
      ['--port <n>', 'port; 4680 where left out, 0 for any free one'],
      ['--host <address>', 'address to listen on; 127.0.0.1 where left out'],
      ['--studio', 'serve the studio too, and print its one-time link'],
      ['--sample', 'make the sample org where the folder has none'],
      ['--tls-cert <file>', 'PEM file of the certificate'],
      ['--tls-key <file>', 'PEM file of its key'],
      ['--behind-proxy', 'a proxy in front of it speaks TLS'],
      ['--public-host <name...>', 'further names under which it is reached'],
      ['--log', 'log requests to stderr'],
    ],
    load: () => import('./verbs/serve.ts'),
  },
  {
    name: 'retrieve',
    usage: '',
    summary: 'write the components of a generation to a directory',
    options: [['--out <dir>', 'the directory'], generation],
    load: () => import('./verbs/retrieve.ts'),
  },
  {
    name: 'diff',
    usage: '[dir]',
    summary: 'what a directory, the drafts or two generations differ in; exits 3 where they do',
    options: [
      ['--from <n>', 'the earlier generation'],
      ['--to <n>', 'the later one; the active one where left out'],
      ...list,
      all,
    ],
    load: () => import('./verbs/diff.ts'),
  },
  {
    name: 'validate',
    usage: '[dir]',
    summary: 'every finding of a directory or of the drafts; without an org the directory stands alone',
    options: [...list, all],
    load: () => import('./verbs/validate.ts'),
  },
  {
    name: 'apply',
    usage: '[dir]',
    summary: 'apply a directory or the drafts: one transaction, one generation',
    options: [
      ['--base <n>', 'the generation that you saw'],
      ['--plan <digest>', 'apply only this reviewed change list'],
      rationale,
      ...list,
      all,
    ],
    load: () => import('./verbs/apply.ts'),
  },
  {
    name: 'push',
    usage: '<dir>',
    summary: 'apply a directory to a remote, which validates it there',
    options: [
      ['--remote <url>', 'its address'],
      ['--pin', 'trust the org that is there now'],
      ['--prune', 'also remove what the directory does not have'],
      rationale,
      all,
    ],
    load: () => import('./verbs/push.ts'),
  },
  {
    name: 'generations',
    usage: '',
    summary: 'the generations, newest first',
    options: [['--limit <n>', 'how many; 20 where left out']],
    load: () => import('./verbs/generations.ts'),
  },
  {
    name: 'rollback',
    usage: '<generation>',
    summary: 'apply what an older generation held, as a new one',
    options: [rationale, all],
    load: () => import('./verbs/rollback.ts'),
  },
  {
    name: 'resolve',
    usage: '<set>',
    summary: 'the entry of a set or flag on a date',
    options: [
      ['--key <key>', 'the business key of a keyed set'],
      ['--as-of <date>', 'the date, YYYY-MM-DD; has no default'],
      scope,
      ['--field <field>', 'only this field: the bare value'],
      generation,
      ['--explain', 'with every step of the walk'],
    ],
    load: () => import('./verbs/resolve.ts'),
  },
  {
    name: 'evaluate',
    usage: '<expression>',
    summary: 'evaluate an expression; with --store keep the value and its binding',
    options: [
      inputs,
      ['--as-of <date>', 'the date for dated sets'],
      scope,
      generation,
      ['--store <label>', 'keep the result under this label'],
    ],
    load: () => import('./verbs/evaluate.ts'),
  },
  {
    name: 'replay',
    usage: '[file]',
    summary: 'compute a stored result again at its binding; exits 1 where it is not identical',
    options: [['--result <id>', 'a result that the org holds']],
    load: () => import('./verbs/replay.ts'),
  },
  {
    name: 'recompute',
    usage: '[file]',
    summary: 'compute a result against the present',
    options: [
      ['--result <id>', 'a result that the org holds'],
      ['--store', 'keep the new value and binding'],
    ],
    load: () => import('./verbs/recompute.ts'),
  },
  {
    name: 'results',
    usage: '',
    summary: 'the stored results, newest first',
    options: [['--limit <n>', 'how many; 20 where left out']],
    load: () => import('./verbs/results.ts'),
  },
  {
    name: 'evidence',
    usage: '<result>',
    summary: 'the signed evidence bundle of a stored result',
    options: [['--out <file>', 'the file; stdout where left out']],
    load: () => import('./verbs/evidence.ts'),
  },
  {
    name: 'verify',
    usage: '<bundle>',
    summary: 'verify an evidence bundle with no org at all',
    options: [['--key <key>', 'the public key or fingerprint that must have signed']],
    load: () => import('./verbs/verify.ts'),
  },
  {
    name: 'where-used',
    usage: '<type/key>',
    summary: 'what refers to a component',
    options: [['--member <field>', 'only uses of this field']],
    load: () => import('./verbs/where-used.ts'),
  },
  {
    name: 'types',
    usage: '',
    summary: 'TypeScript declarations of every set and flag',
    options: [['--out <file>', 'the file; stdout where left out']],
    load: () => import('./verbs/types.ts'),
  },
  {
    name: 'import',
    usage: '<set> <file>',
    summary: 'a CSV file as dated entries, kept as drafts for review',
    options: [
      ['--map <map>', 'which column is what: a JSON file, or JSON itself'],
      ['--apply', 'apply at once instead of keeping drafts'],
      ['--out <dir>', 'write component files instead of keeping drafts'],
      ['--again', 'take every row, also what was edited here since the last import'],
      ['--repair <choice...>', 'mend findings by choice, as in validate'],
      rationale,
      all,
    ],
    load: () => import('./verbs/import.ts'),
  },
  {
    name: 'export',
    usage: '<set>',
    summary: 'the entries of a set as CSV',
    options: [['--out <file>', 'the file; stdout where left out'], generation],
    load: () => import('./verbs/export.ts'),
  },
  {
    name: 'drafts',
    usage: '',
    summary: 'the drafts of the org',
    options: [['--discard', 'drop every draft']],
    load: () => import('./verbs/drafts.ts'),
  },
  {
    name: 'audit',
    usage: '',
    summary: 'who changed what, newest first',
    options: [
      ['--component <type/key>', 'only this component'],
      ['--limit <n>', 'how many; 20 where left out'],
    ],
    load: () => import('./verbs/audit.ts'),
  },
  {
    name: 'user add',
    usage: '<key>',
    summary: 'add a user',
    options: [
      ['--name <name>', 'what people call them'],
      ['--permission-set <key...>', 'assigned permission sets'],
      ['--group <key...>', 'groups'],
      ['--locale <tag>', 'language, such as de-AT'],
      ['--password-stdin', 'read a password from stdin'],
    ],
    load: () => import('./verbs/user-add.ts'),
  },
  {
    name: 'client secret',
    usage: '<key>',
    summary: 'make a secret of a registered client; it is shown once',
    options: [],
    load: () => import('./verbs/client-secret.ts'),
  },
  {
    name: 'token',
    usage: '',
    summary: 'a bearer token of a registered client, for one hour',
    options: [['--client <key>', 'the client; local where left out']],
    load: () => import('./verbs/token.ts'),
  },
]
