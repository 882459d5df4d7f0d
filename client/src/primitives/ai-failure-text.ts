import { t } from '../i18n/ai-fields.ts'

/** Why a job waits or has failed, in the language of the interface. */
export const aiFailureText = (message: string): string => t('aiFields.why', message)
