// Options of several commands.
export const changeList = [
  ['--drafts', 'use your own drafts instead of a directory; --drafts all includes those of other users'],
  ['--prune', 'also remove components that are not in the directory'],
  [
    '--breaking <type/key...>',
    'confirm that these objects lose values of records, or what a client uses; with --prune and --drafts, removed objects',
  ],
  [
    '--repair <choice...>',
    'fix findings with these repairs: config.range_gap=extend_earlier, config.range_gap:HR=extend_later, config.range_end:GR-69=set_value:rate=0.19',
  ],
] as const
export const allChanges = ['--all', 'show all changes'] as const
export const rationale = ['--rationale <text>', 'the reason, recorded in the audit'] as const
export const generation = ['--generation <n>', 'use this generation instead of the active one'] as const
