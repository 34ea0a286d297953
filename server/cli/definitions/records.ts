// Commands over records.
import type { CommandDefinition } from '../command-definition.ts'

const filter = ['--filter <expression>', 'a condition on the record'] as const

export const recordsCommands: readonly CommandDefinition[] = [
  {
    name: 'records get',
    usage: '<object> <id>',
    summary: 'show one record',
    options: [['--fields <names>', 'only these fields, separated by commas; a dot follows a reference']],
    load: () => import('../commands/records-get.ts'),
  },
  {
    name: 'records query',
    usage: '<object>',
    summary: 'list the records for which a filter is true',
    options: [
      ['--fields <names>', 'the fields to read, separated by commas; a dot follows a reference'],
      filter,
      ['--order <field...>', 'order by a field, or by field:desc'],
      ['--limit <n>', 'maximum number; default 50'],
    ],
    load: () => import('../commands/records-query.ts'),
  },
  {
    name: 'records insert',
    usage: '<object> <values...>',
    summary: 'add a record; each value is written as field=value',
    options: [],
    writes: true,
    load: () => import('../commands/records-insert.ts'),
  },
  {
    name: 'records import',
    usage: '<object> <file>',
    summary:
      'add or update records from CSV with a header of field names, or from JSON lines; a column "id" updates',
    options: [['--external-id <field>', 'a unique field that identifies existing records']],
    writes: true,
    load: () => import('../commands/records-import.ts'),
  },
  {
    name: 'records evidence',
    usage: '<object> <id> <field>',
    summary: 'write the signed evidence bundle of the value of a stored formula',
    options: [['--out <file>', 'file to write to; default stdout']],
    load: () => import('../commands/records-evidence.ts'),
  },
  {
    name: 'records erase',
    usage: '<object> <id>',
    summary:
      'erase the sensitive values of a record, which can be a deleted one, from everything that is stored; this cannot be undone',
    options: [['--reason <text>', 'why, recorded in the audit; without personal data']],
    writes: true,
    load: () => import('../commands/records-erase.ts'),
  },
  {
    name: 'records export',
    usage: '<object>',
    summary: 'write records as CSV, or as JSON lines to a file that ends in .jsonl',
    options: [
      ['--out <file>', 'file to write to'],
      ['--fields <names>', 'only these fields, separated by commas; default all'],
      filter,
      ['--order <field...>', 'order by a field, or by field:desc'],
    ],
    load: () => import('../commands/records-export.ts'),
  },
]
