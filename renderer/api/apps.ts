// Apps as the current user can see them.
import type { AppDescription, AppSummary } from '#wire/records.ts'
import { get } from './request.ts'

export type { AppDescription, AppSummary, FlowDescription, FlowStep, StepCall } from '#wire/records.ts'

export const fetchApps = async (): Promise<AppSummary[]> =>
  (await get<{ apps: AppSummary[] }>('/setup/v3/apps')).apps

export const fetchApp = (app: string): Promise<AppDescription> =>
  get(`/setup/v3/apps/${encodeURIComponent(app)}`)
