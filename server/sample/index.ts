// The sample org: something worth seeing at the first start (issue: sample org).
export { fillSample, sampleName } from './fill-sample.ts'
