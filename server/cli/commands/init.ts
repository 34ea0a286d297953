// almanac init: creates an org in a folder, empty or with the sample.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { initOrg } from '../../compose/open-org.ts'
import { hasFlag, textOption } from '../options.ts'
import type { Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const { args, terminal } = call
  const dir = resolve(args[0] ?? textOption(call, 'org') ?? '.')
  const environment = textOption(call, 'environment') ?? 'dev'
  if (hasFlag(call, 'sample')) {
    const { initSample } = await import('../../compose/sample.ts')
    const root = fileURLToPath(new URL('../../../', import.meta.url))
    await initSample(dir, {
      root,
      environment,
      ...(textOption(call, 'name') === undefined ? {} : { name: textOption(call, 'name')! }),
    })
  } else await initOrg(dir, { name: textOption(call, 'name') ?? 'Org', environment }).close()
  const { openLocalOrg } = await import('../local-org.ts')
  const { org } = openLocalOrg(dir, { actor: 'admin', isExplicit: false })
  const { lineage, name } = org.facts()
  const generation = org.activeGeneration()
  await org.close()
  await terminal.data({ org: dir, name, environment, lineage, generation })
  terminal.print(`${name} (${environment}) was created in ${dir}, at generation ${generation}.`)
}
