// Every finding of the org as it stands with its drafts (HTTP surface).
import { z } from 'zod'
import { isComponentType, splitId } from '#kernel/components/component.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { Visibility } from '../../access/index.ts'
import { defineRoute } from '../route.ts'
import { finding } from '../schemas/common.ts'
import { mostProblems } from '../views/problems.ts'

export const problems = defineRoute({
  method: 'get',
  path: '/setup/v3/problems',
  name: 'listProblems',
  summary: 'Findings of the active generation and of the drafts over it',
  effect: 'reads',
  reply: z.object({
    findings: z.array(finding),
    more: z.boolean().meta({ description: `Whether there are more than the first ${mostProblems}.` }),
  }),
  errors: [],
  handle: async ({ services, access, visibility }) => {
    const findings = await services.problems.all(access.user)
    const shown = findings.filter((each) => shownFinding(each, visibility))
    return { findings: shown, more: findings.length >= mostProblems }
  },
})

/** A finding on a set that hides itself would tell of it. */
export function shownFinding({ component }: Finding, visibility: Visibility): boolean {
  const type = component.split('/', 1)[0]!
  if (!isComponentType(type)) return true
  const { key } = splitId(component)
  if (type === 'config_entry')
    return visibility.values(key.split('.')[0]!) || visibility.definition(key.split('.')[0]!)
  return type === 'config_set' || type === 'feature_flag' ? visibility.definition(key) : true
}
