// Commands that evaluate configuration, and those over stored results.
import type { CommandDefinition } from '../command-definition.ts'
import { generation } from './shared-options.ts'

const scope = [
  '--scope <kind=value...>',
  'scope path: environment=prod, app=…, locale=de-AT, permission_set=a,b, user=…',
] as const
const inputs = [
  '--input <name:type=value...>',
  'declared inputs of the expression, such as amount:number=100.00',
] as const

export const resultsCommands: readonly CommandDefinition[] = [
  {
    name: 'resolve',
    usage: '<set>',
    summary: 'resolve the entry of a set or flag on a date',
    options: [
      ['--key <key>', 'the business key of a keyed set'],
      ['--as-of <date>', 'the date, YYYY-MM-DD; no default'],
      scope,
      ['--field <field>', 'print only the value of this field'],
      generation,
      ['--explain', 'show every step of the resolution'],
    ],
    load: () => import('../commands/resolve.ts'),
  },
  {
    name: 'evaluate',
    usage: '<expression>',
    summary: 'evaluate an expression; with --store, also store the value and its binding',
    options: [
      inputs,
      ['--as-of <date>', 'as-of date for dated sets'],
      scope,
      generation,
      ['--store <label>', 'store the result under this label'],
    ],
    takesText: true,
    writes: true,
    load: () => import('../commands/evaluate.ts'),
  },
  {
    name: 'replay',
    usage: '[file]',
    summary:
      'replay a stored result, or the records of an object, at their bindings; exits 1 if a value is not identical',
    options: [
      ['--result <id>', 'id of a stored result'],
      ['--object <object>', 'replay the stored values of the records of this object that you can see'],
      ['--filter <expression>', 'with --object: only the records that meet it'],
      [
        '--bound-before <n>',
        'with --object: only the records with a value that is bound to a generation before this one',
      ],
    ],
    // Over records, it is a job.
    writes: true,
    load: () => import('../commands/replay.ts'),
  },
  {
    name: 'recompute',
    usage: '[file]',
    summary: 'recompute a result, or the records of an object, against the active generation',
    options: [
      ['--result <id>', 'id of a stored result'],
      ['--store', 'store the new value and its binding'],
      ['--object <object>', 'recompute and store the records of this object that you can change'],
      ['--filter <expression>', 'with --object: only the records that meet it'],
      [
        '--bound-before <n>',
        'with --object: only the records with a value that is bound to a generation before this one',
      ],
    ],
    writes: true,
    load: () => import('../commands/recompute.ts'),
  },
  {
    name: 'rebind',
    usage: '',
    summary:
      'recompute and store what is bound to earlier generations, so that they can be purged; in the audit',
    options: [
      ['--result <id>', 'id of a stored result'],
      ['--object <object>', 'rebind the records of this object that you can change'],
      ['--filter <expression>', 'with --object: only the records that meet it'],
      [
        '--bound-before <n>',
        'with --object: only the records with a value that is bound to a generation before this one; default the active one',
      ],
      ['--keep-archived', 'with --object: leave archived values as they are'],
    ],
    writes: true,
    load: () => import('../commands/rebind.ts'),
  },
  {
    name: 'archive create',
    usage: '',
    summary:
      'archive the evidence of stored values of records, which freezes the values and lets their generations be purged; this cannot be undone, and is in the audit',
    options: [
      ['--object <object>', 'the object of the records'],
      ['--id <id>', 'with --field: of one record'],
      ['--field <field>', 'a stored formula of that record'],
      ['--filter <expression>', 'only the records that meet it'],
      [
        '--bound-before <n>',
        'only values that are bound to a generation before this one; default the active one',
      ],
      ['--out <file>', 'with --id: file for the bundle'],
    ],
    writes: true,
    load: () => import('../commands/archive-create.ts'),
  },
  {
    name: 'archive list',
    usage: '',
    summary: 'list your archives of evidence, newest first',
    options: [],
    load: () => import('../commands/archive-list.ts'),
  },
  {
    name: 'archive export',
    usage: '<id>',
    summary: 'write the signed evidence bundles of an archive, one a line',
    options: [['--out <file>', 'file to write to']],
    load: () => import('../commands/archive-export.ts'),
  },
  {
    name: 'archive remove',
    usage: '<id>',
    summary: 'remove an archive with its evidence; the values stay as they are',
    options: [],
    writes: true,
    load: () => import('../commands/archive-remove.ts'),
  },
  {
    name: 'results',
    usage: '',
    summary: 'list the stored results, newest first',
    options: [['--limit <n>', 'maximum number; default 20']],
    load: () => import('../commands/results.ts'),
  },
  {
    name: 'evidence',
    usage: '<result>',
    summary: 'write the signed evidence bundle of a stored result',
    options: [['--out <file>', 'file to write to; default stdout']],
    load: () => import('../commands/evidence.ts'),
  },
  {
    name: 'verify',
    usage: '<bundle>',
    summary: 'verify an evidence bundle, or a file with one a line, without an org',
    options: [['--key <key>', 'the public key or fingerprint that the bundle must be signed with']],
    load: () => import('../commands/verify.ts'),
  },
  {
    name: 'where-used',
    usage: '<type/key>',
    summary: 'list everything that refers to a component',
    options: [['--member <name>', 'only uses of this field, or of this value of a value set']],
    load: () => import('../commands/where-used.ts'),
  },
]
