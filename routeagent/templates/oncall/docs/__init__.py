"""Runbooks and procedures of the on-call team: what to do when. 值班手册、处理步骤。"""
