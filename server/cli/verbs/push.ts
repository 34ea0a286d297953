// almanac push: a directory to a remote, which validates and applies it there (completions 4: lineage pins).
import { sayApplied } from '../applied-text.ts'
import { UsageError } from '../fail.ts'
import { flag, text } from '../options.ts'
import { checkPin } from '../remote-pins.ts'
import { openRemoteOrg } from '../remote-org.ts'
import type { Run } from '../verb.ts'

export const run: Run = async (call) => {
  const { terminal } = call
  const remote = text(call, 'remote')
  if (remote === undefined) throw new UsageError('Say where to: --remote <url>.')
  const org = openRemoteOrg(remote, text(call, 'token') ?? process.env['ALMANAC_TOKEN'])
  const { lineage, name, environment } = await org.facts()
  checkPin(remote, lineage, flag(call, 'pin'))
  terminal.progress(`Pushing to ${name} (${environment}) …`)
  const rationale = text(call, 'rationale')
  const applied = await org.apply(
    { kind: 'directory', dir: call.args[0]!, prune: flag(call, 'prune') },
    rationale === undefined ? {} : { rationale },
  )
  sayApplied(applied, terminal, flag(call, 'all'))
}
