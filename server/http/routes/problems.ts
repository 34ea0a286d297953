// The findings of the org with its drafts.
import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { finding } from '../schemas/common.ts'
import { maxProblems } from '../views/problems.ts'

export const problems = defineRoute({
  method: 'get',
  path: '/setup/v3/problems',
  name: 'listProblems',
  summary: 'List the findings of the active generation and of the drafts',
  effect: 'reads',
  reply: z.object({
    findings: z.array(finding),
    more: z.boolean().meta({ description: `Whether there are more than the first ${maxProblems}.` }),
  }),
  errors: [],
  handle: async ({ services, access }) => {
    const findings = await services.problems.all(access.user)
    return { findings, more: findings.length >= maxProblems }
  },
})
