// Form of a webhook endpoint.
import type { FormDescriptor } from '../form.ts'

export const webhookEndpointForm: FormDescriptor = {
  sections: [
    {
      title: 'Endpoint',
      fields: [
        {
          path: 'path',
          label: 'Path',
          help: 'Where deliveries arrive.',
          widget: 'text',
          required: true,
          placeholder: '/hooks/payments',
        },
        {
          path: 'runAs',
          label: 'Runs as',
          help: 'The user whose permission sets decide what a delivery may write.',
          widget: 'text',
          required: true,
        },
      ],
    },
    {
      title: 'Verification',
      fields: [
        {
          path: 'verification',
          label: 'Signature',
          help: 'How a delivery proves that it is genuine.',
          widget: 'group',
          required: true,
          fields: [
            {
              path: 'scheme',
              label: 'Scheme',
              help: 'A keyed hash of the delivery.',
              widget: 'select',
              required: true,
              options: [{ value: 'hmac_sha256', label: 'HMAC with SHA-256' }],
            },
            {
              path: 'externalCredential',
              label: 'Secret',
              help: 'The credential whose store holds the shared secret.',
              widget: 'reference',
              required: true,
              refTypes: ['external_credential'],
            },
            {
              path: 'signatureHeader',
              label: 'Signature header',
              help: 'Which header carries the signature.',
              widget: 'text',
              required: true,
            },
            {
              path: 'signedPayload',
              label: 'Signed text',
              help: 'What was signed: {timestamp}, {id} and {body} stand for the parts.',
              widget: 'text',
              placeholder: '{timestamp}.{body}',
            },
            {
              path: 'timestampHeader',
              label: 'Time header',
              help: 'Which header carries the time; a part of another header as in Stripe-Signature#t.',
              widget: 'text',
            },
            {
              path: 'toleranceSec',
              label: 'Tolerance (s)',
              help: 'How far the time may be from ours.',
              widget: 'number',
            },
          ],
        },
      ],
    },
    {
      title: 'Repeats',
      fields: [
        {
          path: 'dedupe',
          label: 'Repeats',
          help: 'How a delivery that comes twice is recognised.',
          widget: 'group',
          fields: [
            {
              path: 'idHeader',
              label: 'Id header',
              help: 'Which header carries the delivery’s id; or a place in the body as in body:/id.',
              widget: 'text',
            },
            {
              path: 'windowHours',
              label: 'Remembered for (h)',
              help: 'How long ids are kept.',
              widget: 'number',
            },
          ],
        },
      ],
    },
    {
      title: 'Dispatch',
      fields: [
        {
          path: 'dispatch',
          label: 'Where it goes',
          help: 'Exactly one of the three.',
          widget: 'group',
          required: true,
          fields: [
            {
              path: 'publishTo',
              label: 'Channel',
              help: 'Publish it as an event.',
              widget: 'reference',
              refTypes: ['event_channel'],
            },
            {
              path: 'automation',
              label: 'Automation',
              help: 'Call an invocable automation.',
              widget: 'reference',
              refTypes: ['automation'],
            },
            {
              path: 'upsert',
              label: 'Record',
              help: 'Create or change a record.',
              widget: 'group',
              fields: [
                {
                  path: 'object',
                  label: 'Object',
                  help: 'Whose record is written.',
                  widget: 'reference',
                  required: true,
                  refTypes: ['object'],
                },
                {
                  path: 'externalId',
                  label: 'Found by',
                  help: 'The unique field that finds an existing record.',
                  widget: 'object_field',
                  required: true,
                },
                {
                  path: 'values',
                  label: 'Values',
                  help: 'For each field, a pointer into the delivered body such as /data/amount.',
                  widget: 'map',
                  required: true,
                },
              ],
            },
          ],
        },
      ],
    },
  ],
}
