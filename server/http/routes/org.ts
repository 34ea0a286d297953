// An overview of the org, and the current user.
import { z } from 'zod'
import { systemPermissions } from '#kernel/components/permission-set/system-permissions.ts'
import type { OrgView } from '#wire/index.ts'
import { hasPermission } from '../../access/index.ts'
import { visibleDraftBriefsInChunks, redactGeneration } from '../../pipeline/index.ts'
import { defineRoute } from '../route.ts'
import { generationRow } from '../schemas/common.ts'

export const org = defineRoute({
  method: 'get',
  path: '/setup/v3/org',
  name: 'describeOrg',
  summary: 'Get the name, lineage, environment and active generation of the org, and the current user',
  effect: 'reads',
  reply: z.object({
    name: z.string(),
    lineage: z.string(),
    environment: z.string(),
    generation: generationRow,
    drafts: z.int(),
    me: z.object({ key: z.string(), name: z.string(), permissions: z.array(z.string()) }),
    today: z.string(),
    requiredApprovals: z.int(),
  }),
  errors: [],
  handle: async ({ services, snapshot, access, viewer }): Promise<OrgView> => {
    const drafts = await visibleDraftBriefsInChunks(services.store, viewer)
    return services.store.read((reader) => {
      const { name, lineage, environment } = reader.properties.get()
      const user = reader.people.user(access.user)
      return {
        name,
        lineage,
        environment,
        generation: redactGeneration(reader, reader.generations.get(snapshot.generation)!, {
          access,
          viewer,
        }),
        drafts: drafts.length,
        me: {
          key: access.user,
          name: user?.name ?? access.user,
          permissions: systemPermissions.filter((permission) => hasPermission(access, permission)),
        },
        today: services.clock.today(),
        requiredApprovals: services.requests.requiredApprovals(),
      }
    })
  },
})
