"""The tools of CloudLedger, called for real."""
