// Consents: a user connects their account at another system, and ends that again.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ConnectedAccount, StartedConsent } from '#wire/consents.ts'
import { consentCookie } from '../consent-cookie.ts'
import { consentPage } from '../consent-page.ts'
import { emptyReply, jsonReply } from '../reply.ts'
import { definePublicRoute, defineRoute } from '../route.ts'
import { componentKey } from '../schemas/common.ts'
import { accountState, lastAttempt } from '../schemas/consents.ts'
import type { Site } from '../site.ts'

const callbackPath = '/oauth2/callback'
const ticketPath = '/oauth2/consent'
/** The page of the studio that shows the accounts of the user. Nothing in a request changes where a user returns to. */
const accountsPage = '/accounts'

const account = z
  .object({
    ...{ credential: z.string(), label: z.string(), principal: z.string() },
    host: z.string().meta({ description: 'Of the page that asks for consent.' }),
    scopes: z.array(z.string()),
    ...{ state: accountState, last: lastAttempt },
  })
  .meta({ id: 'ConnectedAccount' }) satisfies z.ZodType<ConnectedAccount>

const ofPrincipal = z.strictObject({ credential: componentKey, principal: componentKey })

export const listAccounts = defineRoute({
  method: 'get',
  path: '/setup/v3/accounts',
  name: 'listAccounts',
  summary: 'List the accounts at other systems that you can connect, and the state of each',
  effect: 'reads',
  reply: z.object({ accounts: z.array(account) }),
  errors: ['vault.key'],
  handle: async ({ services, access }) => ({
    accounts: await services.outside().consents.list(access.user),
  }),
})

export const startConsent = defineRoute({
  method: 'post',
  path: '/setup/v3/credentials/{credential}/principals/{principal}/consent',
  name: 'startConsent',
  summary: 'Begin your consent to calls in your name: returns the page of the other system, to open once',
  effect: 'writes',
  person: true,
  params: ofPrincipal,
  body: z
    .strictObject({
      browser: z.enum(['this', 'system']).default('this').meta({
        description: 'system: the page opens in the browser of this machine; on loopback only.',
      }),
    })
    .prefault({}),
  status: 201,
  reply: z.object({
    id: z.string(),
    url: z.string(),
    expiresAt: z.string(),
  }) satisfies z.ZodType<StartedConsent>,
  errors: ['request.invalid', 'integration.secret_absent', 'vault.key'],
  handle: async ({ services, by, params, body, raw }) => {
    const { site } = services
    const publicUrl = requirePublicUrl(site)
    if (body.browser === 'system' && !site.loopback)
      throw new AlmanacError(
        'request.invalid',
        'Consent in the browser of this machine needs a server on loopback. Use this browser.',
      )
    if (body.browser === 'this' && raw.request.headers.host?.toLowerCase() !== new URL(publicUrl).host)
      throw new AlmanacError(
        'request.invalid',
        `Consent returns to ${publicUrl}, and this page has a different address, so the browser would not recognise you. Open the studio at ${publicUrl}.`,
      )
    const { started, departure } = await services.outside().consents.start(by, params, {
      browser: body.browser,
      redirectUri: `${publicUrl}${callbackPath}`,
      ticketUrl: (ticket) => `${publicUrl}${ticketPath}?${new URLSearchParams({ ticket })}`,
    })
    if (departure !== null) consentCookie.set(site, raw.response, departure)
    return jsonReply(started, { status: 201, headers: { 'Cache-Control': 'no-store' } })
  },
})

/** @throws AlmanacError `request.invalid` */
function requirePublicUrl({ publicUrl }: Site): string {
  if (publicUrl !== null) return publicUrl
  throw new AlmanacError(
    'request.invalid',
    'This server does not know its own URL, to which a consent returns. Its operator starts it with --public-url.',
  )
}

export const withdrawConsent = defineRoute({
  method: 'delete',
  path: '/setup/v3/credentials/{credential}/principals/{principal}/consent',
  name: 'withdrawConsent',
  summary: 'End your consent and destroy its tokens; with integration.manage_credentials, that of any user',
  effect: 'writes',
  params: ofPrincipal,
  query: z.strictObject({ user: z.string().min(1).max(200).optional() }),
  status: 204,
  errors: ['secret.absent', 'vault.key'],
  handle: async ({ services, by, params, query }) => {
    await services.outside().consents.withdraw(by, params, query.user ?? by.actor)
    return emptyReply({ status: 204 })
  },
})

export const openConsentPage = definePublicRoute({
  method: 'get',
  path: ticketPath,
  name: 'openConsentPage',
  summary: 'Open the consent page of another system with the single-use ticket of a consent',
  query: z.strictObject({ ticket: z.string().min(1).max(2000) }),
  status: 302,
  negotiated: 'text/html',
  errors: ['vault.key'],
  handle: async ({ services, query, raw }) => {
    const departure = await services.outside().consents.redeem(query.ticket)
    if (departure === null) return usedPage()
    consentCookie.set(services.site, raw.response, departure)
    return emptyReply({ status: 302, headers: { Location: departure.url, 'Cache-Control': 'no-store' } })
  },
})

/** A server can repeat a parameter; what that means is decided with the consent. */
const returned = z.unknown().optional()

const usedPage = () =>
  consentPage({
    ...{ status: 400, title: 'This link was already used' },
    text: 'The link works once and for ten minutes. Start the consent again in Almanac.',
  })

export const finishConsent = definePublicRoute({
  method: 'get',
  path: callbackPath,
  name: 'finishConsent',
  summary: 'Receive the user from the consent page of another system',
  // A server can add parameters of its own.
  query: z.looseObject({
    ...{ state: returned, code: returned, iss: returned, error: returned },
  }),
  media: 'text/html',
  errors: ['vault.key'],
  handle: async ({ services, raw: { request, response } }) => {
    const { site } = services
    const query = new URL(request.originalUrl, 'http://localhost').search
    const state = new URLSearchParams(query).get('state') ?? ''
    const cookie = consentCookie.valueOf(site, request, state)
    try {
      const { isSystem, reason } = await services.outside().consents.finish(cookie, query)
      consentCookie.clear(site, response, state)
      if (!isSystem) return consentPage({ ...returning, next: accountsPage })
      return consentPage(reason === null ? connected : { title: notConnected, text: reason })
    } catch (error) {
      if (!(error instanceof AlmanacError) || error.code !== 'integration.consent_failed') throw error
      return consentPage({
        ...{ status: 400, title: notConnected, text: error.message },
        link: { to: accountsPage, text: 'Connected accounts' },
      })
    }
  },
})

const connected = { title: 'Your account is connected', text: 'Close this page and return to Almanac.' }
const notConnected = 'Your account is not connected'
/** The studio shows how it ended. The page is of our own site, so that the session is valid for the next one. */
const returning = { title: 'Returning to Almanac', text: 'If nothing happens, open the studio again.' }
