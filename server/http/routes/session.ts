// The one-time link that hands the studio its cookie (completions 6).
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { Reply } from '../reply.ts'
import { definePublicRoute } from '../route.ts'

export const session = definePublicRoute({
  method: 'get',
  path: '/session',
  name: 'openSession',
  summary: 'Opens the studio by its one-time link',
  query: z.strictObject({ once: z.string().min(1).max(200) }),
  status: 302,
  errors: ['auth.invalid', 'auth.throttled'],
  handle({ query, services, raw }) {
    const address = raw.request.socket.remoteAddress ?? ''
    services.throttle.check(address)
    // A link that was followed twice by the same browser still leads home.
    if (services.session?.holds(raw.request) === true) return home()
    if (services.session?.redeem(query.once) !== true) {
      services.throttle.failed(address)
      throw new AlmanacError(
        'auth.invalid',
        'This link has been used, or is not of this start of the server. Start the server again for a new one.',
      )
    }
    services.session.setCookie(raw.response)
    return home()
  },
})

function home(): Reply {
  return new Reply({ status: 302, headers: { Location: '/' } })
}
