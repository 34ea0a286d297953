// The accounts of the current user at other systems.
import type { ConnectedAccount, ConsentBrowser, StartedConsent } from '#wire/consents.ts'
import { get, post, request } from './request.ts'

export type { ConnectedAccount } from '#wire/consents.ts'

type AccountName = Pick<ConnectedAccount, 'credential' | 'principal'>

const consentPath = ({ credential, principal }: AccountName): string =>
  `/setup/v3/credentials/${encodeURIComponent(credential)}/principals/${encodeURIComponent(principal)}/consent`

export const fetchAccounts = async (): Promise<ConnectedAccount[]> =>
  (await get<{ accounts: ConnectedAccount[] }>('/setup/v3/accounts')).accounts

export const startConsent = (account: AccountName, browser: ConsentBrowser): Promise<StartedConsent> =>
  post(consentPath(account), { browser })

export const withdrawConsent = (account: AccountName): Promise<void> =>
  request('DELETE', consentPath(account))
