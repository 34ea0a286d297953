// Commands over the org as a whole: its types, files, drafts, backups and audit.
import type { CommandDefinition } from '../command-definition.ts'
import { allChanges, generation, rationale } from './shared-options.ts'

export const orgCommands: readonly CommandDefinition[] = [
  {
    name: 'types',
    usage: '',
    summary: 'write TypeScript declarations of all sets, flags and external services',
    options: [['--out <file>', 'file to write to; default stdout']],
    load: () => import('../commands/types.ts'),
  },
  {
    name: 'import',
    usage: '<set> <file>',
    summary: 'import a CSV file or a spreadsheet as dated entries, saved as drafts for review',
    options: [
      [
        '--map <map>',
        'what each column means, as a JSON file or inline JSON; see docs/how-to/import-a-table.md',
      ],
      ['--inspect', 'show the content of the file, its open questions and a suggested map without importing'],
      ['--apply', 'apply immediately instead of saving drafts'],
      ['--out <dir>', 'write component files instead of saving drafts'],
      ['--again', 'import all rows, including those edited here since the last import'],
      ['--repair <choice...>', 'fix findings with these repairs, as in validate'],
      rationale,
      allChanges,
    ],
    writes: true,
    load: () => import('../commands/import.ts'),
  },
  {
    name: 'export',
    usage: '<set>',
    summary: 'export the entries of a set as CSV, XLSX or JSON',
    options: [
      ['--format <csv|xlsx|json>', 'format of the file; default: from its name'],
      ['--out <file>', 'file to write to; default stdout'],
      generation,
    ],
    load: () => import('../commands/export.ts'),
  },
  {
    name: 'drafts',
    usage: '',
    summary: 'list the drafts of the org',
    options: [
      ['--discard', 'discard your own drafts, or those of the users in --of'],
      ['--of <user...>', 'only drafts that these users created'],
    ],
    writes: true,
    load: () => import('../commands/drafts.ts'),
  },
  {
    name: 'check',
    usage: '',
    summary:
      'verify the org in a folder: digests, audit, references, results, keys; exits 1 if it is damaged',
    options: [],
    load: () => import('../commands/check.ts'),
  },
  {
    name: 'backup',
    usage: '<folder>',
    summary: 'copy an org to a new folder, even while a server is running, and verify the copy',
    options: [],
    load: () => import('../commands/backup.ts'),
  },
  {
    name: 'audit',
    usage: '',
    summary: 'list who changed what, newest first',
    options: [
      ['--search <words>', 'words in a key, a label, a name, a rationale or a correlation id'],
      ['--actor <text>', "part of a user's key or name"],
      ['--kind <kind>', 'kind of row, such as changed, renamed or token.issued'],
      ['--since <date>', 'the first day, in UTC'],
      ['--until <date>', 'the last day, in UTC'],
      ['--component <subject/key>', 'only this component, user, client or other subject'],
      ['--limit <n>', 'maximum number of rows; default 20, or all rows with --format'],
      ['--format <csv|jsonl>', 'write the rows in this format to stdout'],
    ],
    load: () => import('../commands/audit.ts'),
  },
  {
    name: 'purge',
    usage: '',
    summary: 'delete the content of old generations, unless a stored result is bound to one of them',
    options: [['--before <n>', 'the first generation to keep']],
    writes: true,
    load: () => import('../commands/purge.ts'),
  },
]
