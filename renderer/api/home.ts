// The home page as the server builds it for its viewer.
import type { HomeView } from '#wire/index.ts'
import { get } from './request.ts'

export const fetchHome = (days: number): Promise<HomeView> => get('/setup/v3/home', { days })
