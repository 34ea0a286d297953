// Opens a session for a browser after a password or an invitation proved the user; ends its previous session.
import type { Request, Response } from 'express'
import type { OpenedSession } from '#wire/session.ts'
import type { Actor } from '../access/index.ts'
import { operatorOf, personSessionOf } from './request-context.ts'
import type { Services } from './services.ts'
import { personCookie } from './session-cookie.ts'

export async function openPersonSession(
  services: Services,
  { request, response }: { request: Request; response: Response },
  { actor, correlationId }: { actor: string; correlationId: string },
): Promise<OpenedSession> {
  const { access, site, store } = services
  const operatorName = operatorOf(services, request)
  const by: Actor = { actor, correlationId, operatorName }
  const opened = await access.openSession(by, request.get('User-Agent') ?? '')
  const before = personSessionOf(services, request)
  if (before !== null) await access.endSignIn({ ...by, actor: before.user }, before.id)
  personCookie.set(site, response, opened.secret, opened.expiresAt)
  services.devices.remember(response, by.actor)
  const name = store.read((reader) => reader.people.user(by.actor))?.name ?? by.actor
  return { user: { key: by.actor, name }, expiresAt: opened.expiresAt }
}
