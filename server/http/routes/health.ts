// Liveness and readiness, for operators.
import { z } from 'zod'
import { definePublicRoute } from '../route.ts'

const state = z.object({ status: z.literal('ok') })

export const health = definePublicRoute({
  method: 'get',
  path: '/healthz',
  name: 'health',
  summary: 'Check that the process is running',
  reply: state,
  errors: [],
  handle: () => ({ status: 'ok' as const }),
})

export const readiness = definePublicRoute({
  method: 'get',
  path: '/readyz',
  name: 'readiness',
  summary: 'Check that the org can be read and written and that a generation is active',
  reply: z.object({ status: z.literal('ok'), generation: z.int() }),
  errors: ['server.not_ready', 'storage.full', 'storage.read_only', 'storage.damaged', 'storage.failed'],
  handle: async ({ services }) => {
    await services.readiness.check()
    return { status: 'ok' as const, generation: services.org.pin().generation }
  },
})
