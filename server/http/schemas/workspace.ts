// The shape of a workspace: bounded and strict, so it contains only URLs and positions.
import { z } from 'zod'
import type { Workspace, WorkspaceView } from '#wire/workspace.ts'

const maxTabs = 100
const maxPlaces = 100
const address = z.string().min(1).max(2000).regex(/^\//)
const pixels = z.int().min(0).max(100_000_000)
const position = z.int().min(1).max(100_000_000)

export const workspace = z
  .strictObject({
    sides: z
      .array(
        z.strictObject({
          tabs: z.array(address).max(maxTabs),
          front: address,
          preview: address.optional(),
        }),
      )
      .min(1)
      .max(2),
    focused: z.union([z.literal(0), z.literal(1)]),
    share: z.number().min(0).max(100),
    dock: z.strictObject({
      panel: z.enum(['problems', 'output', 'events']),
      height: z.int().min(0).max(10_000),
      open: z.boolean(),
    }),
    explorer: z.strictObject({
      by: z.enum(['type', 'app']),
      open: z.array(z.string().max(200)).max(200),
    }),
    places: z
      .array(
        z.strictObject({
          path: address,
          line: position,
          column: position,
          text: pixels,
          form: pixels,
          typing: z.boolean(),
        }),
      )
      .max(maxPlaces),
  })
  .meta({
    id: 'Workspace',
    description: 'The state in which a user left the studio: URLs of open pages, and positions in them.',
  }) satisfies z.ZodType<Workspace>

export const workspaceView = z.object({
  user: z.string(),
  org: z.string(),
  workspace: workspace.nullable(),
}) satisfies z.ZodType<WorkspaceView>
