// Renames a component as drafts, with its blast radius.
import { z } from 'zod'
import { componentId } from '#kernel/components/component.ts'
import { planRename } from '#kernel/graph/index.ts'
import { isIdVisible } from '../../pipeline/index.ts'
import { defineRoute } from '../route.ts'
import { componentKey, componentType } from '../schemas/common.ts'

export const rename = defineRoute({
  method: 'post',
  path: '/metadata/v3/rename',
  name: 'rename',
  summary:
    'Create the drafts for a rename; references to the component are updated when the drafts are applied',
  effect: 'writes',
  body: z.strictObject({ type: componentType, from: componentKey, to: z.string().max(1000) }),
  author: true,
  budget: { lane: 'long' },
  reply: z.object({
    drafts: z.array(z.string()),
    places: z.array(
      z.object({ component: z.string(), path: z.string(), before: z.string(), after: z.string() }),
    ),
  }),
  errors: [
    'component.not_found',
    'conflict.exists',
    'conflict.stale_draft',
    'request.invalid',
    'access.denied',
  ],
  handle: async ({ services, body: { type, from, to }, snapshot, viewer, by }) => {
    const { draft, origin } = await services.org.renameDraft({
      from: componentId(type, from),
      toKey: to,
      actor: by,
      viewer,
    })
    const renames = origin === null || origin === to ? [] : [{ type, from: origin, to }]
    const { places } = planRename(snapshot.view, renames, services.org.graph())
    const shown = places.filter((place) => isIdVisible(place.component, viewer))
    return { drafts: [draft.id], places: shown }
  },
})
