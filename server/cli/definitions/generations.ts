// Commands that return to an earlier generation.
import type { CommandDefinition } from '../command-definition.ts'
import { allChanges, rationale } from './shared-options.ts'

const restore = [
  ['--dry-run', 'show the changes and their findings without applying them; exits 3 if there are changes'],
  [
    '--plan <plan>',
    'apply only this reviewed plan: the text that --dry-run prints, or the file that --dry-run --json wrote',
  ],
  [
    '--breaking <type/key...>',
    'confirm that these objects lose values of records, or fields that a client uses',
  ],
] as const

export const generationsCommands: readonly CommandDefinition[] = [
  {
    name: 'generations',
    usage: '',
    summary: 'list the generations, newest first',
    options: [['--limit <n>', 'maximum number; default 20']],
    load: () => import('../commands/generations.ts'),
  },
  {
    name: 'rollback',
    usage: '<generation>',
    summary: 'apply the content of an older generation as a new generation',
    options: [...restore, rationale, allChanges],
    writes: true,
    load: () => import('../commands/rollback.ts'),
  },
  {
    name: 'revert',
    usage: '<generation>',
    summary: 'undo the changes of one generation and keep all later changes',
    options: [
      ['--component <type/key...>', 'undo only its changes to these components'],
      ['--without <type/key...>', 'keep these components as they are now'],
      ...restore,
      rationale,
      allChanges,
    ],
    writes: true,
    load: () => import('../commands/revert.ts'),
  },
]
