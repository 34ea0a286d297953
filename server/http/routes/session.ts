// The one-time link, which sets the cookie of the studio.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { emptyReply, mediaReply, type MediaBody, type Reply } from '../reply.ts'
import { definePublicRoute } from '../route.ts'
import { administrator } from '../../pipeline/index.ts'
import { linkSessionOf } from '../request-context.ts'
import { linkCookie, personCookie } from '../session-cookie.ts'
import { addressOf } from '../site.ts'

export const session = definePublicRoute({
  method: 'get',
  path: '/session',
  name: 'openSession',
  summary: 'Open the studio with its one-time link',
  query: z.strictObject({ once: z.string().min(1).max(200) }),
  status: 302,
  negotiated: 'text/html',
  errors: ['auth.invalid', 'auth.throttled'],
  async handle({ query, services, raw, correlationId }) {
    const { access, link, site } = services
    const address = addressOf(site, raw.request)
    // A link that the same browser follows twice still opens the studio, even while others guess links.
    if (linkSessionOf(services, raw.request) !== null) return home()
    services.throttle.check(address)
    if (link?.redeem(query.once) !== true) {
      services.throttle.recordFailure(address)
      // Browsers get a page instead of an error envelope.
      if (raw.request.accepts('json', 'html') === 'html') return usedPage()
      throw new AlmanacError(
        'auth.invalid',
        'This link was already used, or belongs to an earlier run of the server. Restart the server to get a new link.',
      )
    }
    const by = { actor: administrator, correlationId, operatorName: services.operatorName }
    const opened = await access
      .openLinkSession(by, raw.request.get('User-Agent') ?? '')
      .catch((error: unknown) => {
        link.restore()
        throw error
      })
    linkCookie.set(site, raw.response, opened.secret)
    if (personCookie.secretOf(site, raw.request) !== undefined) personCookie.clear(site, raw.response)
    link.markUsed()
    return home()
  },
})

function usedPage(): Reply<MediaBody> {
  return mediaReply('text/html; charset=utf-8', { status: 401, text: usedText })
}

const usedText = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>This link was already used - Almanac</title>
    <style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1rem }</style>
  </head>
  <body>
    <h1>This link was already used</h1>
    <p>A link to the studio works once, in one browser. This one was already used, or belongs to an earlier run of the server.</p>
    <p>Stop <code>npm start</code> (or <code>almanac serve --studio</code>) and run it again to get a new link.</p>
  </body>
</html>
`

function home(): Reply<never> {
  return emptyReply({ status: 302, headers: { Location: '/' } })
}
